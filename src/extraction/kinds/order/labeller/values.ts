const countryLetters = /^[A-Z]{1,2}[- ](?=\d)/u;

/** "LT-48001" is 48001: the country is a field of its own. */
export const postalCodeWithoutCountry = (code: string): string => code.replace(countryLetters, "");

/** A mail as offices write it, with its entities. */
export interface SpokenOf {
  language: string;
  subject?: string;
  text: string;
  orderNumbers?: string[];
  licensePlates?: string[];
  vatCodes?: string[];
  /**
   * Places such as "PL 53-609 Wrocław". Parts that the mail does not contain are missing, unless a large town implies
   * them.
   */
  places?: string[];
}

/** The mails with which the rules were corrected. */
export const spokenOf: SpokenOf[] = [
  {
    language: "en",
    subject: "BS-26-04711: delay",
    text: "Our truck stands in a jam near Poznan, we will be two hours late.",
    orderNumbers: ["BS-26-04711"],
    places: ["PL Poznań"],
  },
  {
    language: "en",
    subject: "Order TR-20881 / truck details",
    text: "Hello,\ntruck WGM 12345, trailer WGM 9AK2, driver Jan Nowak.\nRegards",
    orderNumbers: ["TR-20881"],
    licensePlates: ["WGM12345", "WGM9AK2"],
  },
  {
    language: "en",
    text: "Hi, please confirm our order no. 4500718823 for Thursday. Our VAT PL5260250274.",
    orderNumbers: ["4500718823"],
    vatCodes: ["PL5260250274"],
  },
  {
    language: "en",
    subject: "Invoice FV/77/2026 overdue",
    text: "Dear Sirs,\nthe invoice FV/77/2026 for your order KL-5512 is still unpaid. VAT PL5260250274",
    orderNumbers: ["KL-5512"],
    vatCodes: ["PL5260250274"],
  },
  {
    language: "de",
    subject: "AW: 2026-11-4711 Verspätung",
    text: "Guten Tag,\nunser LKW mit dem Kennzeichen M-AB 1234 steht bei Nürnberg im Stau und kommt zwei Stunden später.",
    orderNumbers: ["2026-11-4711"],
    licensePlates: ["MAB1234"],
    places: ["DE Nürnberg"],
  },
  {
    language: "de",
    text: "Hallo, zum Auftrag 88-4471 fehlt uns noch der CMR. Ladestelle war 04158 Leipzig, Entladestelle 53-609 Wrocław.",
    orderNumbers: ["88-4471"],
    places: ["DE 04158 Leipzig", "PL 53-609 Wrocław"],
  },
  {
    language: "de",
    subject: "Stornierung Transportauftrag TA-2026-118",
    text: "Sehr geehrte Damen und Herren,\nden Transportauftrag TA-2026-118 müssen wir leider stornieren.\nUSt-IdNr. DE123456788",
    orderNumbers: ["TA-2026-118"],
    vatCodes: ["DE123456788"],
  },
  {
    language: "pl",
    subject: "Zlecenie ZL/2026/11/01799",
    text: "Dzień dobry,\nauto WX 1234A / WX 55CDE stoi pod Poznaniem, spóźni się dwie godziny.",
    orderNumbers: ["ZL/2026/11/01799"],
    licensePlates: ["WX1234A", "WX55CDE"],
    places: ["PL Poznań"],
  },
  {
    language: "pl",
    text: "Dzień dobry, proszę o fakturę do zlecenia TS-55120. Dane do faktury: NIP PL5260250274.",
    orderNumbers: ["TS-55120"],
    vatCodes: ["PL5260250274"],
  },
  {
    language: "pl",
    subject: "RE: 7718/11/26",
    text: "Witam, kierowca jest już w Berlinie na rozładunku.",
    orderNumbers: ["7718/11/26"],
    places: ["DE Berlin"],
  },
  {
    language: "fr",
    subject: "Retard camion",
    text: "Bonjour,\nle camion AB-123-CD est bloqué près de Lyon. Commande CT-88121, livraison décalée à demain.",
    orderNumbers: ["CT-88121"],
    licensePlates: ["AB123CD"],
    places: ["FR Lyon"],
  },
  {
    language: "fr",
    text: "Bonjour, merci de nous envoyer le CMR de la commande n° 45120/26, enlèvement à 59000 Lille.",
    orderNumbers: ["45120/26"],
    places: ["FR 59000 Lille"],
  },
  {
    language: "es",
    subject: "Pedido 26-8841",
    text: "Buenos días, el camión 4521 KLM está cerca de Zaragoza y llegará a las 16:00.",
    orderNumbers: ["26-8841"],
    licensePlates: ["4521KLM"],
    places: ["ES Zaragoza"],
  },
  {
    language: "it",
    subject: "Ordine OT-3391",
    text: "Buongiorno, la targa è GK 456 LM, il mezzo è fermo vicino a Verona.",
    orderNumbers: ["OT-3391"],
    licensePlates: ["GK456LM"],
    places: ["IT Verona"],
  },
  {
    language: "cs",
    subject: "Objednávka OBJ-26-0312",
    text: "Dobrý den,\nvozidlo 1BX 4821 uvízlo u Brna, přijede později. DIČ CZ12345679",
    orderNumbers: ["OBJ-26-0312"],
    licensePlates: ["1BX4821"],
    vatCodes: ["CZ12345679"],
    places: ["CZ Brno"],
  },
  {
    language: "sk",
    text: "Dobrý deň, k objednávke 2611-338 posielame dodací list. Vykládka bola v Bratislave.",
    orderNumbers: ["2611-338"],
    places: ["SK Bratislava"],
  },
  {
    language: "hu",
    subject: "Megbízás M-2026/1187",
    text: "Tisztelt Partnerünk!\nA teherautó ABC-123 Győr közelében áll, két órát késik.",
    orderNumbers: ["M-2026/1187"],
    licensePlates: ["ABC123"],
    places: ["HU Győr"],
  },
  {
    language: "ro",
    subject: "Comanda CMD-99812",
    text: "Bună ziua,\ncamionul B 123 ABC este lângă Arad, va întârzia.",
    orderNumbers: ["CMD-99812"],
    licensePlates: ["B123ABC"],
    places: ["RO Arad"],
  },
  {
    language: "lt",
    subject: "Užsakymas UZ-4410",
    text: "Laba diena,\nvilkikas KHF 441 stovi prie Kauno, vėluos.",
    orderNumbers: ["UZ-4410"],
    licensePlates: ["KHF441"],
    places: ["LT Kaunas"],
  },
  {
    language: "lv",
    text: "Labdien, pasūtījums P-20711: kravas auto AB-1234 ir pie Rīgas.",
    orderNumbers: ["P-20711"],
    licensePlates: ["AB1234"],
    places: ["LV Rīga"],
  },
  {
    language: "et",
    subject: "Tellimus T-5581",
    text: "Tere, veok 123 ABC on Tallinna lähedal ja hilineb.",
    orderNumbers: ["T-5581"],
    licensePlates: ["123ABC"],
  },
  {
    language: "nl",
    subject: "Opdracht 2026-77120",
    text: "Goedemiddag, de vrachtwagen 12-ABC-3 staat vast bij Eindhoven.",
    orderNumbers: ["2026-77120"],
    licensePlates: ["12ABC3"],
    places: ["NL Eindhoven"],
  },
  {
    language: "pt",
    subject: "Encomenda EN-7781",
    text: "Bom dia, o camião 12-AB-34 está perto de Braga.",
    orderNumbers: ["EN-7781"],
    licensePlates: ["12AB34"],
    places: ["PT Braga"],
  },
  {
    language: "sv",
    subject: "Order 881204",
    text: "Hej, bilen ABC 12D står nära Malmö och blir sen.",
    orderNumbers: ["881204"],
    licensePlates: ["ABC12D"],
    places: ["SE Malmö"],
  },
  {
    language: "da",
    text: "Hej, vedr. ordre DK-4412: lastbil AB 12 345 holder ved Aarhus.",
    orderNumbers: ["DK-4412"],
    licensePlates: ["AB12345"],
    places: ["DK Aarhus"],
  },
  {
    language: "fi",
    subject: "Tilaus 44871-2",
    text: "Hei, ajoneuvo ABC-123 on myöhässä.",
    orderNumbers: ["44871-2"],
    licensePlates: ["ABC123"],
  },
  {
    language: "hr",
    subject: "Nalog N-1187/26",
    text: "Poštovani, kamion ZG 1234-AB stoji kod Zagreba i kasni.",
    orderNumbers: ["N-1187/26"],
    licensePlates: ["ZG1234AB"],
    places: ["HR Zagreb"],
  },
  {
    language: "uk",
    subject: "Заявка 118-К",
    text: "Добрий день, авто АА 1234 ВВ стоїть біля Києва, запізниться.",
    orderNumbers: ["118-К"],
    licensePlates: ["АА1234ВВ"],
    places: ["UA Київ"],
  },
  {
    language: "ru",
    text: "Добрый день, по заявке ЗТ-20771 машина А123ВС задержится.",
    orderNumbers: ["ЗТ-20771"],
    licensePlates: ["А123ВС"],
  },
  // Mails without entities of these types follow.
  {
    language: "en",
    subject: "Meeting on 24.11.2026",
    text: "Nice to hear from you. Best regards to everybody in the office.",
  },
  { language: "en", subject: "Newsletter 11/2026", text: "Order now and save 20 %! Call +49 30 23125 410." },
  { language: "de", text: "Guten Morgen, rufen Sie mich bitte unter 030 23125410 an." },
  {
    language: "en",
    subject: "Statement of account",
    text: "Please pay 1 414.50 EUR to IBAN DE89 3704 0044 0532 0130 00. VAT PL5260250274",
    vatCodes: ["PL5260250274"],
  },
];

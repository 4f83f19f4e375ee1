/** An invented sender whose documents use unusual labels. */
export interface OddSender {
  language: string;
  /** The labels of the order number and of the payment days. */
  names: { number: string; days: string };
  paper: (tour: string, number: string, days: number) => string;
}

const lines = (...text: string[]) => text.join("\n");

/**
 * Senders in five languages. Each of their documents has a tour number, which looks like an order number, and the order
 * number itself with an unusual label.
 */
export const oddSenders: OddSender[] = [
  {
    language: "de",
    names: { number: "Buchungsschlüssel", days: "Valuta" },
    paper: (tour, number, days) =>
      lines(
        "Beispiel Spedition GmbH",
        "Hafenstraße 12, 20457 Hamburg",
        "USt-IdNr.: DE123456788   dispo@beispiel-spedition.example",
        "",
        "TRANSPORTAUFTRAG",
        `Auftragsnummer: ${tour}`,
        `Buchungsschlüssel: ${number}`,
        "",
        "Ladestelle: Muster Papierwerke GmbH, Industriestraße 5, 04158 Leipzig, Deutschland",
        "Ladedatum: 24.11.2026 08:00 - 14:00",
        "Entladestelle: Drukarnia Przykład Sp. z o.o., ul. Fabryczna 18, 53-609 Wrocław, Polen",
        "Entladedatum: 25.11.2026 07:00 - 12:00",
        "Ware: Papier, 22000 kg",
        "Frachtpreis: 780,00 EUR",
        `Valuta: ${days}`,
      ),
  },
  {
    language: "pl",
    names: { number: "Hasło kursu", days: "Po ilu" },
    paper: (tour, number, days) =>
      lines(
        "Spedycja Przykładowa Sp. z o.o.",
        "ul. Portowa 4, 81-350 Gdynia",
        "NIP: PL5260250274   biuro@spedycja-przyklad.example",
        "",
        "ZLECENIE TRANSPORTOWE",
        `Nr zlecenia: ${tour}`,
        `Hasło kursu: ${number}`,
        "",
        "Miejsce załadunku: Huta Wzorcowa S.A., ul. Stalowa 1, 41-300 Dąbrowa Górnicza, Polska",
        "Data załadunku: 24.11.2026 08:00 - 14:00",
        "Miejsce rozładunku: Muster Stahl GmbH, Industriestraße 5, 04158 Leipzig, Niemcy",
        "Data rozładunku: 25.11.2026 07:00 - 12:00",
        "Towar: stal, 24000 kg",
        "Fracht: 1 150,00 EUR",
        `Po ilu: ${days}`,
      ),
  },
  {
    language: "fr",
    names: { number: "Jeton du voyage", days: "Au bout de" },
    paper: (tour, number, days) =>
      lines(
        "Transports Exemple SARL",
        "12 rue du Port, 76600 Le Havre",
        "N° TVA: FR40303265045   exploitation@transports-exemple.example",
        "",
        "ORDRE DE TRANSPORT",
        `N° d'ordre: ${tour}`,
        `Jeton du voyage: ${number}`,
        "",
        "Lieu de chargement: Papeteries Modèle SAS, 5 rue de l'Industrie, 69007 Lyon, France",
        "Date de chargement: 24/11/2026 08:00 - 14:00",
        "Lieu de livraison: Muster Druck GmbH, Industriestraße 5, 04158 Leipzig, Allemagne",
        "Date de livraison: 26/11/2026 07:00 - 12:00",
        "Marchandise: papier, 22000 kg",
        "Prix: 1 480,00 EUR",
        `Au bout de: ${days}`,
      ),
  },
  {
    language: "es",
    names: { number: "Clave del viaje", days: "Se paga a" },
    paper: (tour, number, days) =>
      lines(
        "Transportes Ejemplo S.L.",
        "Calle del Puerto 12, 46024 Valencia",
        "NIF: ESB58378431   trafico@transportes-ejemplo.example",
        "",
        "ORDEN DE TRANSPORTE",
        `Nº de orden: ${tour}`,
        `Clave del viaje: ${number}`,
        "",
        "Lugar de carga: Papeles Modelo S.A., Calle Industria 5, 08038 Barcelona, España",
        "Fecha de carga: 24/11/2026 08:00 - 14:00",
        "Lugar de descarga: Papeteries Modèle SAS, 5 rue de l'Industrie, 69007 Lyon, Francia",
        "Fecha de descarga: 25/11/2026 07:00 - 12:00",
        "Mercancía: papel, 22000 kg",
        "Precio: 980,00 EUR",
        `Se paga a: ${days}`,
      ),
  },
  {
    language: "cs",
    names: { number: "Heslo jízdy", days: "Do kolika" },
    paper: (tour, number, days) =>
      lines(
        "Vzorová Doprava s.r.o.",
        "Dlouhá 27, 602 00 Brno",
        "DIČ: CZ12345679   dispecink@vzorova-doprava.example",
        "",
        "OBJEDNÁVKA PŘEPRAVY",
        `Číslo objednávky: ${tour}`,
        `Heslo jízdy: ${number}`,
        "",
        "Místo nakládky: Papírny Vzor a.s., Průmyslová 5, 301 00 Plzeň, Česká republika",
        "Datum nakládky: 24.11.2026 08:00 - 14:00",
        "Místo vykládky: Muster Druck GmbH, Industriestraße 5, 04158 Leipzig, Německo",
        "Datum vykládky: 25.11.2026 07:00 - 12:00",
        "Zboží: papír, 22000 kg",
        "Cena: 640,00 EUR",
        `Do kolika: ${days}`,
      ),
  },
];

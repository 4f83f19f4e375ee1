import type { MailLabel } from "../../src/extraction/mail/labels.ts";

/** A realistic mail with its label. */
export interface WrittenMail {
  language: string;
  label: MailLabel;
  subject: string;
  text: string;
}

/** Invented mails. None of their sentences is in the training data of the model. */
export const mails: WrittenMail[] = [
  {
    language: "en",
    label: "Order",
    subject: "Booking Rotterdam to Leeds Tuesday",
    text: "Hi Sam,\n\nAll agreed then, you are on for 1,150 EUR. Our booking form 55012 is attached, stamp it please and let me know the reg numbers.\n\nCheers\nJo",
  },
  {
    language: "de",
    label: "Order",
    subject: "Ladung 24.11. Lehrte nach Posen",
    text: "Moin Jens,\n\nwie eben besprochen geht die Tour an euch: 22 Paletten Fliesen, Laden Dienstag ab 7 Uhr, Entladen Mittwoch. 690 EUR fest, 45 Tage. Auftrag liegt bei, bitte gegenzeichnen.\n\nViele Grüße\nUlf",
  },
  {
    language: "pl",
    label: "Order",
    subject: "Zlecenie 4417/11/26 Łódź - Drezno",
    text: "Cześć,\n\ndogadane, 720 euro. W pliku zlecenie, poproszę podpisane razem z numerami zestawu i telefonem do kierowcy.\n\nPozdrawiam\nIga",
  },
  {
    language: "ro",
    label: "Order",
    subject: "Comanda 8821 Arad - Bologna",
    text: "Bună ziua,\n\nvă confirm cursa la 1.450 euro. Găsiți comanda în fișierul anexat, vă rog să mi-o trimiteți înapoi ștampilată.\n\nCu stimă\nDana",
  },
  {
    language: "it",
    label: "OrderChange",
    subject: "Re: Ordine 3381 - nuovo orario",
    text: "Ciao Paolo,\n\nil cliente ci chiede di caricare giovedì anziché mercoledì, stessa ora. Ti rimando l'ordine aggiornato, quello di ieri buttalo via.\n\nGrazie",
  },
  {
    language: "hu",
    label: "OrderChange",
    subject: "5561-es megbízás módosul",
    text: "Szia Gábor,\n\na lerakó címe más lett: Linz helyett Wels, időpont ugyanaz. Küldöm az új megbízást, a régit dobd ki.\n\nÜdv\nZsolt",
  },
  {
    language: "sv",
    label: "OrderChange",
    subject: "Order 7710: ny lasttid",
    text: "Hej,\n\nkunden kan inte lasta på förmiddagen, så tiden ändras till kl 14. Uppdaterad order bifogas.\n\nMvh\nEva",
  },
  {
    language: "fr",
    label: "OrderCancellation",
    subject: "Affrètement 90112 annulé",
    text: "Bonjour,\n\nnotre client vient de nous prévenir que la marchandise ne partira pas. Merci de ne pas présenter votre véhicule demain et de nous confirmer l'annulation sans frais.\n\nCordialement",
  },
  {
    language: "cs",
    label: "OrderCancellation",
    subject: "STORNO 2611-40",
    text: "Dobrý den,\n\nzákazník odřekl zítřejší nakládku, přepravu 2611-40 tedy rušíme. Auto už prosím neposílejte.\n\nS pozdravem\nJana",
  },
  {
    language: "uk",
    label: "OrderCancellation",
    subject: "Заявка 118 скасована",
    text: "Доброго дня!\n\nНа жаль, завод зупинив відвантаження, тому перевезення не буде. Просимо скасувати заявку 118 і авто не подавати.\n\nЗ повагою",
  },
  {
    language: "es",
    label: "QuoteRequest",
    subject: "Tarragona - Lyon, ¿precio?",
    text: "Hola Marta,\n\n¿a cuánto me haces un completo de Tarragona a Lyon cargando el jueves? 24 t de resina en big bags, lona. Necesito la tarifa antes de las 12.\n\nSaludos",
  },
  {
    language: "lt",
    label: "QuoteRequest",
    subject: "Kaina Kaunas - Hamburgas",
    text: "Laba diena,\n\nreikia tento 25 d. iš Kauno į Hamburgą, 21 t medienos. Parašykite, už kiek galėtumėte paimti.\n\nPagarbiai\nRasa",
  },
  {
    language: "da",
    label: "QuoteRequest",
    subject: "Pris på Kolding - Milano",
    text: "Hej,\n\nhvad skal I have for 12 paller fra Kolding til Milano, afhentning fredag? Giv mig gerne en pris inden middag.\n\nMvh\nLars",
  },
  {
    language: "fi",
    label: "QuoteRequest",
    subject: "Tarjouspyyntö Tampere - Gdansk",
    text: "Hei,\n\ntarvitsisimme hinnan täydelle pressulle Tampereelta Gdanskiin, lastaus maanantaina. Paljonko maksaisi?\n\nTerveisin\nPekka",
  },
  {
    language: "nl",
    label: "QuoteAnswer",
    subject: "RE: Prijsaanvraag Venlo - Wenen",
    text: "Goedemiddag,\n\ndank voor je aanvraag. Voor 1.180 euro all-in kan ik morgen laden, aankomst woensdag. Laat maar weten of je akkoord bent.\n\nGroeten\nSjoerd",
  },
  {
    language: "sl",
    label: "QuoteAnswer",
    subject: "Ponudba Koper - München",
    text: "Pozdravljeni,\n\nhvala za povpraševanje, za to relacijo vam lahko ponudim 640 EUR brez DDV. Cena velja do petka.\n\nLep pozdrav",
  },
  {
    language: "en",
    label: "QuoteAnswer",
    subject: "RE: rate Antwerp - Katowice",
    text: "Hello,\n\nthanks for asking. The best I can do is 1,020 EUR including road tolls, collection Thursday. Shall I block the truck?\n\nRegards\nTim",
  },
  {
    language: "de",
    label: "Invoice",
    subject: "Rechnung RE-20931",
    text: "Sehr geehrte Damen und Herren,\n\nfür die durchgeführte Fahrt erhalten Sie beigefügt unsere Abrechnung samt Ablieferbeleg. Bitte begleichen Sie den Betrag unter Angabe der Rechnungsnummer.\n\nMit freundlichen Grüßen",
  },
  {
    language: "sk",
    label: "Invoice",
    subject: "Faktúra 2026/881",
    text: "Dobrý deň,\n\nza vykonanú prepravu Vám posielame faktúru na 540 EUR, splatnú o 30 dní. CMR je súčasťou prílohy.\n\nS pozdravom",
  },
  {
    language: "et",
    label: "Invoice",
    subject: "Arve 30114",
    text: "Tere!\n\nTehtud veo eest edastame arve 30114, summa 870 eurot, tähtaeg 14 päeva.\n\nLugupidamisega",
  },
  {
    language: "pt",
    label: "PaymentReminder",
    subject: "Fatura 2207 vencida",
    text: "Bom dia,\n\na fatura 2207 venceu no mês passado e ainda não vimos a transferência na nossa conta. Podem verificar e indicar a data de pagamento?\n\nCumprimentos",
  },
  {
    language: "pl",
    label: "PaymentReminder",
    subject: "FV 118/10 - brak wpłaty",
    text: "Dzień dobry,\n\nna koncie nadal nie widzimy przelewu za FV 118/10, a termin minął dwa tygodnie temu. Proszę o informację, kiedy zapłacicie, inaczej oddamy sprawę do windykacji.\n\nPozdrawiam",
  },
  {
    language: "bg",
    label: "PaymentReminder",
    subject: "Неплатена фактура 5512",
    text: "Здравейте,\n\nфактура 5512 трябваше да бъде платена до 5 ноември, но превод няма. Моля, уредете задължението тази седмица.\n\nПоздрави",
  },
  {
    language: "hr",
    label: "DocumentDelivery",
    subject: "CMR za 7781",
    text: "Poštovani,\n\nu privitku skenirani CMR i otpremnica s pečatom primatelja. Originale ćemo poslati preporučeno.\n\nLp",
  },
  {
    language: "fr",
    label: "DocumentDelivery",
    subject: "POD 44120",
    text: "Bonjour,\n\nci-joint le bon de livraison émargé et la lettre de voiture du voyage 44120. Les papiers originaux suivront par la poste.\n\nBonne journée",
  },
  {
    language: "en",
    label: "StatusRequest",
    subject: "88120 - any news?",
    text: "Hello,\n\nmy customer keeps calling. Could you check with your driver where he is now and what time he gets to Bremen?\n\nThanks\nKim",
  },
  {
    language: "lv",
    label: "StatusRequest",
    subject: "Kur ir auto?",
    text: "Labdien,\n\nvai varat pateikt, kur šobrīd atrodas mašīna ar kravu 3312 un cikos tā būs pie saņēmēja?\n\nAr cieņu",
  },
  {
    language: "ru",
    label: "StatusRequest",
    subject: "Заявка 771, где машина",
    text: "Добрый день!\n\nПодскажите, пожалуйста, где сейчас ваш водитель и успеет ли он к 15:00 на склад.\n\nС уважением",
  },
  {
    language: "es",
    label: "StatusUpdate",
    subject: "Orden 6120 descargada",
    text: "Buenas tardes,\n\nel camión ha descargado esta mañana a las 9:40 sin novedad. El CMR firmado os lo mando luego.\n\nUn saludo",
  },
  {
    language: "cs",
    label: "StatusUpdate",
    subject: "2611-52 naloženo",
    text: "Dobrý den,\n\nřidič má naloženo, vyráží a zítra ráno v osm bude na vykládce.\n\nDíky\nPetr",
  },
  {
    language: "it",
    label: "Delay",
    subject: "Ordine 4419 - il camion tarda",
    text: "Buongiorno,\n\nl'autista è fermo in coda al Brennero, non ce la fa per le 14. Stimiamo le 18, potete avvisare il magazzino?\n\nSaluti",
  },
  {
    language: "de",
    label: "Delay",
    subject: "Auftrag 9910 - LKW kommt später",
    text: "Hallo Frau Kern,\n\nunser Fahrer steckt seit heute früh auf der A2 fest, Vollsperrung nach Unfall. Der Termin um 11 Uhr ist nicht zu halten, wir rechnen mit 15:30.\n\nViele Grüße",
  },
  {
    language: "ro",
    label: "Delay",
    subject: "Comanda 5530 întârzie",
    text: "Bună ziua,\n\ncamionul a rămas în pană lângă Sibiu și nu ajunge azi la descărcare. Noua estimare este mâine la ora 10.\n\nCu stimă",
  },
  {
    language: "nl",
    label: "Complaint",
    subject: "Schade bij levering 20113",
    text: "Geachte heer,\n\nvijf dozen waren ingedeukt en een pallet is omgevallen in de trailer. Onze klant weigert de partij. Wij stellen u hiervoor aansprakelijk, foto's in de bijlage.\n\nMet vriendelijke groet",
  },
  {
    language: "hu",
    label: "Complaint",
    subject: "Reklamáció 6612",
    text: "Tisztelt Partnerünk!\n\nA tegnapi szállítmányból két raklap összetörve érkezett, a címzett átvételkor kifogást írt a CMR-re. Kérjük nyilatkozatukat és a kár megtérítését.\n\nÜdvözlettel",
  },
  {
    language: "pl",
    label: "Fine",
    subject: "Mandat WGM99112",
    text: "Dzień dobry,\n\nprzyszło wezwanie z fotoradaru, Wasz ciągnik jechał 98 przy ograniczeniu do 70. Proszę podać dane kierowcy i opłacić mandat w terminie 14 dni.\n\nPozdrawiam",
  },
  {
    language: "fr",
    label: "Fine",
    subject: "Avis de contravention EF-221-GH",
    text: "Bonjour,\n\nnous avons reçu un procès-verbal pour excès de vitesse commis avec votre tracteur. Merci de régler l'amende et de nous dire qui conduisait.\n\nCordialement",
  },
  {
    language: "en",
    label: "VehicleOffer",
    subject: "2 tilts empty in Prague tomorrow",
    text: "Hi all,\n\ntwo of our tautliners unload in Prague tomorrow morning and need something towards Benelux or the Ruhr. Send me what you have.\n\nBest\nTereza",
  },
  {
    language: "lt",
    label: "VehicleOffer",
    subject: "Laisvas šaldytuvas Varšuvoje",
    text: "Sveiki,\n\nrytoj po pietų Varšuvoje atsilaisvina mūsų šaldytuvas, ieškome krovinio į Baltijos šalis. Gal ką turite?\n\nPagarbiai",
  },
  {
    language: "de",
    label: "Newsletter",
    subject: "Der Logistik-Newsletter im November",
    text: "Diese Woche lesen Sie: Wie sich die Maut 2027 verändert. Jetzt zum Webinar anmelden und Platz sichern. Sie möchten keine E-Mails mehr erhalten? Hier können Sie sich abmelden.",
  },
  {
    language: "es",
    label: "Spam",
    subject: "¡Enhorabuena, ganador!",
    text: "Su dirección ha sido elegida en nuestro sorteo y le corresponden 850.000 euros. Haga clic en el enlace e introduzca su contraseña bancaria para cobrar el premio.",
  },
  {
    language: "en",
    label: "Spam",
    subject: "Your mailbox storage is full",
    text: "Dear user, your account will be closed today. Click below to verify your password and keep your messages.",
  },
  {
    language: "sv",
    label: "AutoReply",
    subject: "Autosvar: Order 5512",
    text: "Tack för ditt mejl. Jag är på semester till och med den 30 november. Kontakta min kollega vid brådskande ärenden.",
  },
  {
    language: "pl",
    label: "AutoReply",
    subject: "Nieobecność: zlecenie 771",
    text: "Dziękuję za wiadomość. Jestem na urlopie do 30 listopada, w pilnych sprawach proszę pisać do biura.",
  },
  {
    language: "de",
    label: "Other",
    subject: "Frohe Weihnachten",
    text: "Liebe Geschäftspartner,\n\nwir danken für das gute Miteinander in diesem Jahr und wünschen besinnliche Feiertage und ein gesundes neues Jahr.",
  },
  {
    language: "it",
    label: "Other",
    subject: "Nuovo numero di telefono",
    text: "Buongiorno,\n\nvi informiamo che dal primo dicembre il nostro ufficio si trasferisce: cambiano indirizzo e telefono.\n\nCordiali saluti",
  },
];

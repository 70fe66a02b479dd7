//! Tells headlines of articles from sentences that lead to a link.
//!
//! A link whose path only has the form of an article's, `/news/123`, is explained by a headline
//! alone: a text of its own, of five words or more. Requests and answers are as long as that, in
//! languages whose phrases no table has. But they begin with the reader (`I agree …`), with a
//! condition (`If you …`) or an order, they end where the link goes on, and they point at it. So
//! a text with such a mark is no headline. English prose is an exception: its phrases are known
//! best, and so a sentence of it that says nothing of its reader is a statement.
//!
//! Not known: first persons that only the ending of a verb shows.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::notices;
use super::prose::{Says, folded, knows_script};

/// Minimum number of words of a headline.
const HEADLINE_MIN: usize = 5;
/// Maximum number of words of an answer. Longer texts may hold quotations.
const ANSWER_MAX: usize = 8;

/// The first words of answers that a reader gives, by languages: `yes`, and `I` and `my`.
#[rustfmt::skip]
const ANSWER_WORDS: &[&str] = &[
    "prefiero", "contamos", "preferisco", "fico", "prefiro", "je prefere", "on vient", "liever",
    "biore", "wole", "beru", "beriem", "kerem", "iau", "uzimam", "vzamem", "беру", "вземам",
    "παιρνω", "aliyorum", "hi anirem", "reservem", "أحجز", "garder", "la date me", "yes", "yep",
    "yeah", "nope", "i", "our team", "count us", "my", "count me", "please", "let me",
    "put me", "put us", "put my", "tell us", "tell me", "roll back", "bring", "sign me",
    "sign us", "give me", "send me", "take me", "keep me", "keep my", "book me", "excuse",
    "not this", "not for", "no i", "no thank", "no we", "we will", "we accept", "we agree",
    "we can", "we are coming", "our family", "ja", "ich", "mein", "meine", "meinen", "nein ich",
    "nein danke", "wir kommen", "wir nehmen", "oui", "je", "j", "mon", "ma", "mes", "non je",
    "non merci", "si quiero", "si yo", "si me", "si acepto", "yo", "quiero", "mi", "mis",
    "no quiero", "no puedo", "acepto", "estoy", "voy", "no podre", "no gracias", "si voglio",
    "si io", "si mi", "si accetto", "io", "voglio", "vorrei", "accetto", "il mio", "la mia",
    "non voglio", "non posso", "no grazie", "desidero", "sim", "eu", "quero", "meu", "minha",
    "aceito", "nao quero", "nao posso", "vou", "nao obrigado", "ik", "mijn", "nee ik",
    "nee bedankt", "graag", "jag", "jeg", "nej jag", "nej tack", "nei jeg", "nej jeg", "min",
    "mitt", "mina", "mine", "kylla", "haluan", "minun", "en halua", "en voi", "hyvaksyn",
    "osallistun", "tulen", "tak", "moj", "moja", "moje", "chce", "nie chce", "zgadzam", "wezme",
    "prosze", "ano", "chci", "nechci", "souhlasim", "muj", "prijdu", "chcem", "nechcem",
    "suhlasim", "prosim", "igen", "szeretnek", "elfogadom", "nem szeretnek", "nem kerek", "vreau",
    "nu vreau", "sunt de acord", "doresc", "da vreau", "accept", "va rog", "zelim", "ne zelim",
    "prihvacam", "slazem", "hocu", "da zelim", "sprejmem", "strinjam", "evet", "ben", "benim",
    "istiyorum", "hayir", "lutfen", "toi", "vang", "dong y", "xin", "saya", "aku", "ya saya",
    "tidak saya", "mohon", "silakan", "jo vull", "vull", "accepto", "si vull", "eu quero",
    "si quero", "taip", "noriu", "mano", "sutinku", "ja es", "velos", "vēlos", "piekritu", "mans",
    "jah", "soovin", "minu", "noustun", "po une", "une dua", "dua", "pranoj", "ju lutem", "eg",
    "ja ek", "ek", "my kind", "oo", "ako", "gusto ko", "ndiyo", "mimi", "nataka", "nakubali",
    "iva", "nirrid", "naqbel", "is liom", "ba mhaith", "hoffwn", "rwy n", "bai", "nahi dut",
    "onartzen", "jes", "mi volas", "bali", "beli", "ha men", "men", "menga", "да", "я", "мой",
    "моя", "мои", "мне", "мы придем", "хочу", "не хочу", "согласен", "согласна", "принимаю",
    "прошу", "пожалуиста", "так", "мені", "міи", "погоджуюсь", "погоджуюся", "приимаю",
    "будь ласка", "мы придзем", "аз", "искам", "не искам", "съгласен", "съгласна", "моля", "моят",
    "моето", "желим", "не желим", "прихватам", "слажем", "молим", "сакам", "не сакам", "јас",
    "се согласувам", "иә", "мен", "тииім", "би", "ман", "ооба", "бәлі", "ναι", "εγω", "θελω",
    "δεν θελω", "θα ηθελα", "συμφωνω", "αποδεχομαι", "παρακαλω", "το παιδι μου", "نعم", "أنا",
    "أريد", "أود", "أوافق", "لا أريد", "يرجى", "الرجاء", "כן", "אני", "ברצוני", "אבקש", "אנא",
    "נא", "הילד שלי", "بله", "من", "می خواهم", "میخواهم", "موافقم", "لطفا", "جی ہاں", "میں",
    "مجھے", "براہ کرم", "हाँ", "हां", "मैं", "मुझे", "मेरा", "मेरे", "कृपया", "हो", "मला", "म",
    "হ্যাঁ", "আমি", "আমার", "অনুগ্রহ", "ஆம்", "நான்", "எனக்கு", "தயவு", "అవును", "నేను", "నాకు",
    "దయచేసి", "ഞാൻ", "എനിക്ക്", "ദയവായി", "હા", "હું", "ਹਾਂ", "ਮੈਂ", "ಹೌದು", "ನಾನು", "დიახ", "მე",
    "მსურს", "გთხოვთ", "այո", "ես", "խնդրում",
];

/// Verbs that buttons in English begin with, and headlines seldom.
#[rustfmt::skip]
const ORDERS: &[&str] = &[
    "let", "add", "allow", "apply", "approve", "assign", "attach", "block", "book", "bring",
    "buy", "call", "cancel", "change", "choose", "claim", "close", "complete", "confirm",
    "contribute", "decline", "delete", "deploy", "donate", "double", "drop", "edit", "enable",
    "end", "enter", "erase", "extend", "file", "fill", "finish", "forward", "freeze", "give",
    "grant", "hold", "increase", "invite", "join", "keep", "leave", "lock", "log", "mark",
    "merge", "move", "mute", "notify", "order", "pause", "pay", "pick", "pledge", "propose",
    "put", "rate", "rebook", "register", "reject", "release", "remind", "remove", "renew",
    "reply", "report", "request", "reschedule", "reset", "resume", "retry", "return", "review",
    "roll", "save", "select", "send", "set", "settle", "share", "sign", "silence", "skip",
    "start", "stop", "submit", "subscribe", "swap", "switch", "take", "tell", "thank", "transfer",
    "trust", "turn", "unlock", "unmute", "update", "upgrade", "use", "verify", "vote", "withdraw",
];

/// The same where no blank follows a word.
#[rustfmt::skip]
const GLUED_ANSWERS: &[&str] = &[
    "はい", "いいえ", "私", "わたし", "是的", "我", "好的", "请", "請", "네", "예", "아니", "저는", "나는", "제가", "ใช่",
    "ฉัน", "ผม", "ดิฉัน", "โปรด", "กรุณา", "ຂ້ອຍ", "ກະລຸນາ", "ខ្ញុំ", "សូម", "ကျွန်",
];

/// The first words of sentences that lead to an action: conditions, purposes, orders.
#[rustfmt::skip]
const OPENING_WORDS: &[&str] = &[
    "if", "to", "in order to", "should", "want", "do you", "would you", "are you", "did you",
    "have you", "will you", "can you", "could you", "unless", "click", "tap", "press", "visit",
    "follow", "use this", "use the", "go to", "for this", "before", "just", "only one",
    "one last", "one more", "almost", "need to", "no longer", "not", "simply", "use", "open",
    "you can", "you may", "wenn", "falls", "sollten", "sollte", "um ihr", "um ihre", "um ihren",
    "um dein", "um deine", "um die", "um den", "um das", "um sich", "um dich", "zum", "zur",
    "mochten", "mochtest", "wollen sie", "willst du", "haben sie", "hast du", "waren sie",
    "bitte", "nur noch", "klicken", "rufen sie", "offnen", "damit", "noch ein", "fast", "si",
    "pour", "afin", "veuillez", "merci de", "cliquez", "souhaitez", "voulez", "encore un",
    "encore une", "plus qu", "il ne reste", "ouvrez", "para", "por favor", "haga clic",
    "haz clic", "pulse", "desea", "quiere", "quieres", "un clic", "un paso", "solo falta",
    "solo queda", "le falta", "visite", "abra", "se", "per", "qualora", "prego", "clicca",
    "clicchi", "vuoi", "vuole", "desidera", "ancora un", "manca solo", "manca", "caso", "clique",
    "deseja", "quer", "queres", "acesse", "aceda", "falta so", "falta apenas", "so falta",
    "mais um", "als", "indien", "om", "wilt", "wil", "klik", "ga naar", "nog een", "gelieve",
    "alstublieft", "for att", "vill", "onskar", "klicka", "ett steg", "hvis", "dersom", "for at",
    "for a", "vil du", "onsker", "klikk", "kun et", "bare et", "et klik", "ett klikk", "vinligst",
    "var god", "vanligen", "jos", "haluatko", "klikkaa", "viela yksi", "enaa", "ole hyva", "ef",
    "til ad", "smelltu", "viltu", "jesli", "jezeli", "gdyby", "aby", "zeby", "kliknij", "czy",
    "jeszcze jeden", "by", "pokud", "jestlize", "pro dokonceni", "pro potvrzeni", "chcete",
    "kliknete", "jeste jeden", "zbyva", "ak", "pre dokoncenie", "pre potvrdenie", "este jeden",
    "kliknite", "ha", "amennyiben", "kattintson", "kattints", "meg egy", "mar csak", "szeretne",
    "daca", "pentru", "faceti clic", "inca un", "mai aveti", "ako", "da biste", "da bi", "zelite",
    "jos jedan", "jos samo", "ce ne", "ce zelite", "za dokoncanje", "se en korak", "eger",
    "devam", "sadece bir", "son bir", "neu", "de hoan", "de xac", "de huy", "chi con", "jika",
    "kalau", "apabila", "bila", "untuk", "hanya", "tinggal", "sekiranya", "jei", "jeigu",
    "noredami", "norint", "spauskite", "liko", "dar vienas", "lai", "spiediet", "noklikskiniet",
    "vel viens", "kui", "selleks", "klikkige", "veel uks", "si no", "si voleu", "feu clic",
    "cal que", "prema", "faga clic", "nese", "per te", "klikoni", "jekk", "biex", "os nad",
    "os ydych", "cliciwch", "ma ta", "mura", "chun", "cliceail", "kung", "upang", "para sa",
    "kama", "ikiwa", "ili", "bofya", "bezuina", "baldin", "sakatu", "wann", "fir", "um tu",
    "heke", "ji bo", "ukuze", "idan", "haddii", "mar ne", "mar fell", "has", "bi o",
    "agar", "uchun", "eğer", "dəvam", "если", "чтобы", "для завершения", "для подтверждения",
    "для отмены", "для активации", "нажмите", "перейдите", "хотите", "не хотите", "остался",
    "осталось", "еще один", "вы можете", "якщо", "щоб", "для завершення", "для підтвердження",
    "натисніть", "перейдіть", "бажаєте", "залишився", "ще один", "калі", "каб", "націсніце",
    "ако", "за да", "натиснете", "кликнете", "желаете", "искате", "остава", "да бисте", "желите",
    "кликните", "за потврда", "сакате", "егер", "эгер", "хэрэв", "агар", "барои", "үшін", "αν",
    "εαν", "για να", "θελετε", "πατηστε", "καντε κλικ", "ενα βημα", "ενα ακομη", "إذا", "اذا",
    "إن كنت", "لكي", "من أجل", "هل", "انقر", "اضغط", "لإلغاء", "لإتمام", "لتأكيد", "لاستكمال",
    "لإكمال", "لتفعيل", "بقيت", "خطوة", "אם", "כדי", "האם", "לחץ", "לחצו", "נותר", "עוד צעד",
    "להשלמת", "לאישור", "לביטול", "اگر", "برای", "آیا", "تنها", "فقط یک", "که تاسو", "که", "کیا",
    "यदि", "अगर", "क्या", "जर", "बस एक", "यहाँ", "যদি", "শুধু", "જો", "ਜੇ", "ਜੇਕਰ", "நீங்கள்",
    "మీరు", "നിങ്ങൾ", "ನೀವು", "ඔබ", "თუ", "კიდევ ერთი", "եթե", "ևս մեկ", "եւս", "ከፈለጉ",
];

/// The same where no blank follows a word.
#[rustfmt::skip]
const GLUED_OPENERS: &[&str] = &[
    "如果", "如不", "如需", "如您", "若", "只差", "只需", "要", "您", "你", "点击", "點擊", "为了", "為了", "もし", "あと",
    "以下", "下記", "あなた", "ご", "만약", "아래", "이제 한", "한 단계", "หาก", "ถ้า", "เพื่อ", "คุณ", "อีก",
    "ຖ້າ", "ເພື່ອ", "ប្រសិន", "ដើម្បី", "အကယ်",
];

static ANSWERS: LazyLock<HashSet<String>> = LazyLock::new(|| table(&[ANSWER_WORDS, ORDERS]));
static OPENERS: LazyLock<HashSet<String>> = LazyLock::new(|| table(&[OPENING_WORDS]));

static READER_NAMES: LazyLock<HashSet<String>> = LazyLock::new(|| table(&[READER_TOO]));

fn table(lists: &[&[&str]]) -> HashSet<String> {
    lists.iter().copied().flatten().map(|word| folded(word).trim().to_owned()).collect()
}

/// Words for the speaker in other places than the first of an answer.
#[rustfmt::skip]
const SPEAKER: &[&str] = &[
    "me", "my", "mine", "us both", "ich", "mich", "mir", "mein", "meine", "meinen", "meinem",
    "moi", "mon", "mes", "mijn", "mij", "minha", "meu", "meus", "mitt", "mina", "mío", "mia",
    "mio", "miei", "moje", "moja", "mój", "můj", "môj", "mou", "moji", "tôi", "saya", "benim",
    "bana", "niretzat", "nire", "fy", "dua", "mano", "mans", "minu", "minun", "меня", "мне",
    "мой", "моя", "мое", "моё", "мою", "мені", "мене", "моє", "мій", "моето", "моят", "μου",
    "مال من", "برای من", "لي", "שלי", "मेरा", "मेरी", "मेरे", "मुझे", "আমার", "எனக்கு", "என்",
];

/// Words for the reader in other languages, as far as they mean nothing else in another one.
#[rustfmt::skip]
const READER_TOO: &[&str] = &[
    "ihnen", "dein", "deine", "deinen", "vous", "votre", "vos", "usted", "ustedes", "vosotros",
    "tuo", "tua", "tuoi", "voce", "voces", "seu", "jij", "jou", "jouw", "uw", "dig", "ditt",
    "deg", "deres", "sinun", "sinulle", "teidan", "teille", "twoj", "twoje", "twoja", "panstwa",
    "panstwu", "vase", "vas", "vam", "vasi", "vasho", "onnek", "dumneavoastra", "dvs", "vasa",
    "vasoj", "siz", "sizin", "size", "ban", "anda", "awak", "kamu", "jusu", "jums", "teie",
    "teile", "vostre", "vostra", "zure", "zuretzat", "eich", "bhur", "juaj", "tiegħek", "iyo",
    "iyong", "yako", "вас", "вам", "ваш", "ваша", "ваше", "вами", "вашу", "твои", "твое", "тебе",
    "тебя", "вие", "ви", "σας", "εσας", "сизге", "сіздің", "танд", "لك", "لكم", "שלך", "שלכם",
    "לך", "شما", "شماست", "آپ", "आप", "आपका", "आपकी", "आपके", "आपको", "আপনার", "আপনি", "உங்கள்",
    "మీ", "നിങ്ങളുടെ", "თქვენი", "ձեր",
];

/// Words of English that most sentences have, and that other languages hardly have.
const ENGLISH: &[&str] =
    &["the", "and", "this", "that", "with", "from", "there", "been", "which", "about", "their"];
/// More words of most sentences, which other languages have, too.
const ENGLISH_TOO: &[&str] =
    &["is", "of", "it", "at", "for", "are", "was", "has", "on", "in", "have", "be", "by", "as"];

/// Words for the reader: a sentence that has one may be a request.
const READER: &[&str] = &["you", "your", "yours", "yourself", "me", "my", "mine", "us"];
/// Words of such sentences without one.
const URGING: &[&str] = &["click", "opening", "opened", "opens", "soon", "once", "confirm"];

/// Last words of sentences that a link completes, where they are longer than two letters.
#[rustfmt::skip]
const LEADING: &[&str] = &[
    "visit", "see", "use", "via", "url", "link", "follow", "auf", "unter", "besuchen", "offnen",
    "besuche", "visitez", "ouvrez", "sur", "visite", "abra", "acesse", "aceda", "visitar", "apra",
    "apri", "visiti", "naar", "open", "bezoek", "oppna", "besok", "abne", "aapne", "til", "pa",
    "avaa", "otworz", "odwiedz", "otevrete", "navstivte", "otvorte", "otvorite", "posjetite",
    "obiscite", "nyissa", "latogasson", "accesati", "vizitati", "deschideti", "atidarykite",
    "apmeklejiet", "atveriet", "avage", "kulastage", "acin", "ziyaret", "buka", "kunjungi",
    "obriu", "visiteu", "откроите", "посетите", "відкриите", "відвідаите", "отворете", "посетете",
    "отворите", "ανοιξτε", "επισκεφθειτε", "افتح", "الى", "إلى", "זيارة", "פתחו", "היכנסו", "جاو",
    "کنید", "जाएँ", "जाएं", "जाइए", "যান", "செல்லவும்", "ეწვიეთ", "բացեք", "այցելեք", "hapni",
    "vizitoni", "agor", "oscail", "fungua", "buksan", "besoek", "जा", "जानुहोस्", "જાઓ", "ਜਾਓ",
    "ಹೋಗಿ", "යන්න", "വരൂ", "പോകുക", "వెళ్లండి", "செல்க", "যাও", "өтүңүз", "гузаред", "booqo",
    "biçin", "iru",
];

/// A text, and what it says.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) says: &'t Says,
    pub(super) text: &'t str,
}

impl Text<'_> {
    /// Reports whether the text of a link may be a headline.
    pub(super) fn heads(self) -> bool {
        self.says.words >= HEADLINE_MIN
            && !self.asks()
            && !self.begins_as_answer()
            && knows_script(self.text)
    }

    /// Reports whether words beside a link, which are not its own, may be a headline or a
    /// statement; `is_apart` if they are on a line of their own before it.
    pub(super) fn states(self, is_apart: bool) -> bool {
        if self.says.words < HEADLINE_MIN || self.asks() || self.begins_as_answer() {
            return false;
        }
        if self.opens() || !knows_script(self.text) {
            return false;
        }
        if self.is_english() {
            return !self.names_reader();
        }
        let text = folded(self.text);
        let names_reader = text.split(' ').any(|word| READER_NAMES.contains(word));
        is_apart && !names_reader && !self.leads()
    }

    /// Reports whether the text of a link, of any length, may be the headline of an article: no
    /// answer, no question, no order at its beginning or its end, and nothing of its reader.
    pub(super) fn may_head(self) -> bool {
        let says = self.says;
        let is_order = says.leaves || says.begins || says.ends;
        !is_order
            && !self.asks()
            && !self.begins_as_answer()
            && !self.opens()
            && !self.tells_reader()
    }

    /// Reports whether words of plain text to which a link is attached may be the name of what it
    /// leads to, and do not lead on to it.
    pub(super) fn may_name(self) -> bool {
        self.may_head() && !self.leads()
    }

    /// Reports whether the text begins with a condition, a purpose or an order.
    pub(super) fn opens(self) -> bool {
        self.begins_with(&OPENERS, GLUED_OPENERS) && !self.begins_as_visit()
    }

    /// Reports whether the text begins with a visit in French: in Spanish and Portuguese, the word
    /// is an order, and another word follows it.
    fn begins_as_visit(self) -> bool {
        const AFTER: [&str; 8] = ["a", "au", "aux", "d", "dans", "des", "du", "guidee"];
        let text = folded(self.text);
        let mut words = text.trim().split(' ');
        let is_visit = words.next() == Some("visite");
        match words.next() {
            Some("de") => {
                is_visit && words.next().is_some_and(|it| matches!(it, "la" | "l" | "ma"))
            }
            Some(word) => is_visit && AFTER.contains(&word),
            None => false,
        }
    }

    /// Reports whether the text, in another language than English, is a question or a condition
    /// that leads on to a link.
    pub(super) fn leads_on(self) -> bool {
        (self.asks() || self.opens()) && !self.says.points && !self.is_english()
    }

    /// Reports whether words beside a link are about something done, which it leads to, and ask
    /// nothing of their reader.
    pub(super) fn reports(self) -> bool {
        !self.asks()
            && !self.begins_as_answer()
            && !self.opens()
            && !self.tells_reader()
            && notices::reports(self.text)
    }

    /// Reports whether the text has a word for its reader or its speaker.
    pub(super) fn tells_reader(self) -> bool {
        folded(self.text).split(' ').any(is_of_reader)
    }

    /// Reports whether the text has such a word, and `path`, folded, has none of them.
    pub(super) fn tells_reader_more(self, path: &str) -> bool {
        let text = folded(self.text);
        let is_of_reader = |word: &&str| READER_NAMES.contains(*word) || READER.contains(word);
        let mut words = text.split(' ').filter(is_of_reader).peekable();
        let has = |word: &str| path.split(' ').any(|it| it == word);
        words.peek().is_some() && !words.any(has)
    }

    /// Reports whether the text asks something.
    pub(super) fn asks(self) -> bool {
        self.text.contains(['?', '？', '؟', '՞', '\u{37E}'])
    }

    /// Reports whether the text, or what follows its colon, begins as the answer of a reader, or as
    /// an order.
    pub(super) fn begins_as_answer(self) -> bool {
        let answers = |text: &str| {
            let part = Text { text, ..self };
            part.begins_with(&ANSWERS, GLUED_ANSWERS) && !part.begins_as_article()
        };
        self.says.begins
            || answers(self.text)
            || self.text.split_once(": ").is_some_and(|(_, after)| answers(after))
            || self.names_speaker()
    }

    /// Reports whether the text begins with the article `i` of Italian, which is `I` in English.
    fn begins_as_article(self) -> bool {
        const ITALIAN: [&str; 10] =
            ["che", "dei", "del", "della", "delle", "di", "il", "nel", "nella", "sono"];
        let text = folded(self.text);
        text.starts_with(" i ") && text.split(' ').any(|word| ITALIAN.contains(&word))
    }

    fn names_speaker(self) -> bool {
        let text = folded(self.text);
        let is_in = |word: &&str| text.contains(&folded(word));
        self.says.words <= ANSWER_MAX && SPEAKER.iter().any(is_in)
    }

    /// Reports whether the text begins with words of `table`, or with a text of `glued`.
    fn begins_with(self, table: &HashSet<String>, glued: &[&str]) -> bool {
        /// Maximum number of words of an entry.
        const WORDS_MAX: usize = 3;
        let text = folded(self.text);
        let body = text.trim();
        let mut ends = body.match_indices(' ').map(|(at, _)| at).chain([body.len()]);
        ends.by_ref()
            .take(WORDS_MAX)
            .any(|end| body.get(..end).is_some_and(|it| table.contains(it)))
            || glued.iter().any(|word| body.starts_with(folded(word).trim()))
    }

    /// Reports whether the text is in English.
    pub(super) fn is_english(self) -> bool {
        const WORDS_MIN: usize = 2;
        let text = folded(self.text);
        let count = |list: &[&str]| text.split(' ').filter(|word| list.contains(word)).count();
        let firm = count(ENGLISH);
        firm > 0 && firm + count(ENGLISH_TOO) >= WORDS_MIN
    }

    fn names_reader(self) -> bool {
        folded(self.text).split(' ').any(names_reader)
    }

    /// Reports whether the text leads on to the link after it: by a mark, by a short word at its
    /// end, or by a word for the link.
    fn leads(self) -> bool {
        /// Letters of the longest preposition that no headline ends with.
        const SHORT_MAX: usize = 2;
        if self.says.points_last || self.text.contains([',', ':', '،', '：', ';', '؛']) {
            return true;
        }
        let text = folded(self.text);
        let last = text.trim_end().rsplit(' ').next().unwrap_or_default();
        let is_short = last.chars().count() <= SHORT_MAX && last.chars().all(is_of_alphabet);
        is_short || LEADING.contains(&last)
    }
}

fn is_of_reader(word: &str) -> bool {
    READER_NAMES.contains(word) || names_reader(word)
}

fn names_reader(word: &str) -> bool {
    READER.contains(&word) || URGING.contains(&word)
}

/// Reports whether `c` is a letter of a script with capitals, whose words have blanks between.
fn is_of_alphabet(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase()
}

#[cfg(test)]
mod tests {
    use super::{Says, Text};

    #[test]
    fn headlines_are_told_from_answers() {
        for (text, expected) in [
            ("City council opens the old harbour", true),
            ("Stadtrat stellt Pläne für den Hafen vor", true),
            ("Учёные нашли древнее русло под Сахарой", true),
            ("Bus lines", false),
            ("Yes, two of us will come on Friday", false),
            ("Ich nehme den Platz am Fenster gern", false),
            ("Да, мы будем на ужине вдвоём", false),
            ("Oui, gardez une place pour deux", false),
            ("Will two of the chairs do?", false),
            ("Den Platz bitte für mich halten", false),
            ("I nuovi orari dei bus", true),
            ("Abend am See: ich komme gern", false),
            // A script without a table.
            ("\u{780}\u{781} \u{782}\u{783} \u{784} \u{785}\u{786} \u{787}", false),
        ] {
            let says = Says::of(text);
            assert_eq!(Text { says: &says, text }.heads(), expected, "{text}");
        }
    }

    #[test]
    fn statements_are_told_from_what_leads_to_a_link() {
        for (text, is_apart, expected) in [
            ("The numbers of the last run are in", false, true),
            ("Stadtrat stellt Pläne für den Hafen vor", true, true),
            ("Stadtrat stellt Pläne für den Hafen vor", false, false),
            ("Se oni ne plu deziras niajn leterojn iru", true, false),
            ("Wanneer ons weer moet bel, gaan na", true, false),
            ("Noch heute alles erledigt haben unter", true, false),
            ("Le banc devant la mairie est pour vous", true, false),
            ("If the room no longer suits the group of ten", true, false),
            ("The room is kept for you until noon", true, false),
        ] {
            let says = Says::of(text);
            assert_eq!(Text { says: &says, text }.states(is_apart), expected, "{text}");
        }
    }
}

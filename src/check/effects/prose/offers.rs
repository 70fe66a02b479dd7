//! Phrases for what mail offers in a sentence, where the tables of single languages lack it: a new
//! password for a forgotten one, giving up a place, a shared folder, files to fetch, a survey, an
//! end of watching, a link for one reader. Written as in `west`; a notion is one entry.

use super::language::Language;

const NOTHING: Language = Language { code: "offers", leave: "", act: "", here: "", read: "" };

/// Phrases of languages that separate words by blanks.
#[rustfmt::skip]
pub(super) static LANGUAGES: &[Language] = &[
    // A forgotten password, and another one.
    Language {
        act: "\
            forgotten your password|forgotten password|forgot your|choose a new one|pick a new one|\
            set a new one|kennwort vergessen|passwort vergessen|zugangsdaten vergessen|\
            ein neues wählen|neues wählen|oublié votre mot|mot de passe oublié|\
            choisissez en un autre|olvidó su|olvidaste tu|olvidado su|elija otra|elige otra|\
            dimenticato la password|password dimenticata|scegline un|scegline una|esqueceu a|\
            esqueceu sua|esqueceu seu|escolha outra|wachtwoord vergeten|kies een nieuw|\
            kies binnen|glömt lösenord*|glömt ditt lösenord|välj ett nytt|glemt adgangskode*|\
            glemt passord*|glemt din adgangskode|vælg en ny|velg et nytt|unohditko|\
            unohtunut salasana|valitse uusi|nie pamiętasz hasła|zapomniałeś hasła|\
            zapomniałaś hasła|zapomniane hasło|wybierz nowe|\
            zapomněli jste|zapomenuté heslo|zvolte nové|zabudli ste|zabudnuté heslo|zvoľte nové|\
            elfelejtett*|elfelejtette|válasszon újat|választhat újat|ați uitat|ai uitat|\
            alegeți alta|alege alta|zaboravili ste|zaboravljena|odaberite novu|pozabili ste|\
            pozabljeno geslo|izberite novo|заборавили сте|забравена парола|забравили сте|\
            изберете нова|забыли пароль|забыли свой|выбрать новый|выберите новый|задайте новый|\
            забули пароль|забули свій|обрати новий|оберіть новий|ξεχάσατε|επιλέξτε νέο|\
            mi unuttunuz|unuttunuz mu|yenisini seçin|yenisini belirle*|quên mật khẩu|\
            chọn mật khẩu|lupa kata|lupa sandi|lupa password|pilih yang baru|pamiršote|\
            pasirinkite naują|aizmirsāt|izvēlieties jaunu|unustasite|valige uus|has oblidat|\
            heu oblidat|trieu ne una|gleymdir|veldu nýtt|ahaztu duzu|esqueciches",
        ..NOTHING
    },
    // Giving up a place.
    Language {
        act: "\
            give it up|give up your|use your place|free your|free up your|release your|\
            someone else can have|ihren platz|deinen platz|platz frei|platz wieder frei|\
            verhindert sein|libérez votre|libérer votre|laissez votre place|libere su|libera tu|\
            ceda su|libera il tuo|liberi il suo|liberare il posto|libere sua|libere o seu|\
            plaats vrij|plek vrij|lämna tillbaka|lämna din plats|avstå din plats|giv din plads|\
            gi fra deg|gi fra dig|frigi plassen|vapauta paikka*|luovuta paikka*|zwolnij miejsce|\
            zwolnij swoje|uvolněte|uvoľnite|adja vissza|adja át a helyét|eliberați|eliberează|\
            oslobodite mjesto|oslobodite mesto|sprostite|ослободите место|освободете|освободи*|\
            звільніть|ελευθερώστε|yerinizi|yerini bırak|nhường chỗ|lepaskan tempat|\
            serahkan tempat|užleiskite|atbrīvojiet|loovuta*|cediu la vostra|allibereu|ceda a súa",
        ..NOTHING
    },
    // A shared folder, and files to fetch.
    Language {
        act: "\
            open folder|open the folder|open the shared|ordner öffnen|zum ordner|\
            dateien herunterladen|datei herunterladen|ouvrir le dossier|télécharger les fichiers|\
            télécharger le fichier|abrir carpeta|abrir la carpeta|descargar archivos|\
            descargar los archivos|descargar el archivo|apri cartella|apri la cartella|\
            scarica i file|scarica il file|abrir pasta|abrir a pasta|baixar arquivos|\
            transferir ficheiros|map openen|open de map|bestanden downloaden|\
            bestand downloaden|öppna mappen|hämta filer*|ladda ner filer*|åbn mappen|\
            hent filer*|åpne mappen|last ned filer*|avaa kansio*|lataa tiedosto*|otwórz folder|\
            pobierz pliki|pobierz plik|otevřít složku|stáhnout soubory|stáhnout soubor|\
            otvoriť priečinok|stiahnuť súbory|mappa megnyitása|fájlok letöltése|\
            deschide dosarul|deschide folderul|descarcă fișiere*|otvori mapu|otvori fasciklu|\
            preuzmi datoteke|preuzmi datoteku|odpri mapo|prenesi datoteke|prenesi datoteko|\
            отвори фасциклу|преузми датотеке|отвори папката|изтегли файлове*|свали файлове*|\
            открыть папку|скачать файлы|скачать файл|відкрити папку|завантажити файли|\
            завантажити файл|άνοιγμα φακέλου|λήψη αρχείων|klasörü aç|dosyaları indir|\
            dosyayı indir|mở thư mục|tải tệp|tải tập tin|buka folder|buka map|unduh file|\
            unduh berkas|muat turun fail|atidaryti aplanką|atsisiųsti failus|atsisiųsti failą|\
            atvērt mapi|lejupielādēt failus|ava kaust|laadi failid|laadi fail|obre la carpeta|\
            baixa els fitxers|descarrega els fitxers|opna möppu|sækja skrár|karpeta ireki|\
            deskargatu fitxategi*|abrir cartafol|descargar ficheiros|qovluğu aç|faylları yüklə",
        ..NOTHING
    },
    // A survey.
    Language {
        act: "\
            fragebogen|zum fragebogen|questionnaire en ligne|répondre au questionnaire|\
            remplir le questionnaire|cuestionario|rellenar la encuesta|responder la encuesta|\
            questionario|questionário|responder à pesquisa|responder pesquisa|\
            responder ao inquérito|compila il sondaggio|vragenlijst|enquête invullen|\
            svara på enkäten|enkäten|spørgeskema*|svar på undersøgelsen|besvar undersøgelsen|\
            svar på undersøkelsen|spørreskjema*|anna palautetta|vastaa kysely*|\
            wypełnij ankietę|vyplnit dotazník|vyplniť dotazník|kérdőív kitöltése|\
            completează chestionar*|\
            chestionar*|popuni upitnik|ispuni upitnik|izpolni vprašalnik|попуни упитник|\
            попълни анкета|заполнить анкету|пройти опрос|заповнити анкету|пройти опитування|\
            συμπληρώστε το ερωτηματολόγιο|ερωτηματολόγιο|anketi doldur|ankete katıl|\
            điền khảo sát|isi kuesioner|isi survei|isi survey|atsakyti į anketą|aizpildīt anketu|\
            täida küsitlus|inkesta bete|inkesta|respondre l enquesta|omple l enquesta|\
            responder a enquisa|enquisa|líon an suirbhé|suirbhé|llenwi r arolwg|svara könnun|\
            gefa umsögn|сауалнама*|sorğuda|sorğu*|so rovnoma*|plotëso pyetësorin|jaza dodoso|\
            سروے میں",
        ..NOTHING
    },
    // An end of watching.
    Language {
        leave: "\
            leave this mailing|leave the mailing|choose which emails|which emails you|\
            dejar de seguir|smetti di seguire|non seguire più|deixar de seguir|parar de seguir|\
            niet meer volgen|sluta bevaka|sluta följa|følg ikke længere|slutt å følge|\
            lopeta seuraaminen|přestat sledovat|přestaňte sledovat|prestať sledovať|\
            követés leállítása|ne kövessem|nu mai urmări*|prestani prati*|prestani da prati*|\
            prestanite pratiti|nehaj slediti|престани да прати*|спиране на известия*|\
            спри известия*|не следить|перестать следить|настроить уведомления|не стежити|\
            припинити стежити|διακοπή παρακολούθησης|takip etmeyi bırak|takibi bırak|\
            ngừng theo dõi|berhenti mengikuti|henti langgan*|nebestebėti|pārtraukt sekot|\
            ära jälgi|lõpeta jälgimine|deixa de seguir|utzi jarraitzeari|nahi ez baduzu|\
            hætta að fylgjast|\
            elegir qué correos|muokkaa viestiasetu*|interessen ändern|gegevens aanpassen",
        ..NOTHING
    },
    // A link for one reader, and a login by it.
    Language {
        act: "\
            personal link|your personal|your own link|it is yours alone|only for you|\
            one time link|persönlicher link|persönlichen link|ihr persönlicher|\
            ihre persönliche|dein persönlicher|deine persönliche|gilt nur für sie|\
            nur für sie bestimmt|einmallink|einmaliger link|lien personnel|enlace personal|\
            un solo uso|link personale|monouso|link pessoal|acesso único|uso único|\
            persoonlijke link|uw persoonlijke|je persoonlijke|eenmalige|inloglink|personlig länk|\
            personliga länk|din personliga|engångslänk|personligt link|personlige link|\
            dit personlige|din personlige|engangslink|engangslenke|personlig lenke|\
            personlige lenke|henkilökohtainen linkki|kertakäyttö*|osobisty link|\
            jednorazow*|osobní odkaz|jednorázov*|osobný odkaz|személyes link*|egyszer használ*|\
            link personal|doar al dumneavoastră|unică folosință|osobna poveznica|osebna povezava|\
            личен линк|еднократен|персональная ссылка|личная ссылка|одноразов*|\
            персональне посилання|особисте посилання|προσωπικός σύνδεσμος|μιας χρήσης|\
            kişisel bağlantı*|tek kullanımlık|liên kết cá nhân|tautan pribadi|sekali pakai|\
            asmeninė nuoroda|vienkartin*|personīgā saite|vienreiz*|isiklik link|ühekordne|\
            enllaç personal|un sol ús|einnota|ligazón persoal",
        ..NOTHING
    },
    // Confirming, coming and not coming, in languages with few words for it.
    Language {
        act: "\
            sign off this|kontua aktibatze*|a ghníomhachtú|ar waith|aktivizuar|aktivizo*|\
            kuwezesha|að virkja|virkja*|ja ich möchte|ik meld me|meld me aan|lid worden|\
            este e mail é meu|este email é meu|=согласовать|согласовать заявку|\
            reprovar|=jag kan inte|kemst ekki|=nemohu|=nemôžem|=negalėsiu|=netikšu|=δεν μπορώ|\
            afþakka*|şifrə|låna om|dorazím|nedorazím|dejte vědět|dejte nám|dajte vedieť|\
            laat het ons|meddela oss|sig til med det samme|gi oss beskjed|segnalalo|segnalacelo|\
            melden sie es|melden sie sich sofort|nicht veranlasst|prévenez nous|signalez le|\
            avísenos|avise nos|avise imediatamente|szóljon nekünk|anunțați ne|javite nam|\
            сообщите нам|повідомте нас|ενημερώστε μας|bize bildirin|báo cho chúng|beri tahu kami|\
            know it is you|know that it is you|cast their vote|vote until",
        ..NOTHING
    },
];

/// Phrases of languages whose words are searched for anywhere in a text.
#[rustfmt::skip]
pub(super) static GLUED: &[Language] = &[
    // A forgotten password, and another one.
    Language {
        act: "\
            お忘れですか|お忘れの方|パスワードを忘れ|新しいものをお選び|忘记密码|忘記密碼|选择新密码|選擇新密碼|잊으셨|새로 정하|새로 설정|\
            ลืมรหัส|نسيت كلمة|שכחת את|שכחת סיסמ|رمز خود را فراموش|पासवर्ड भूल|পাসওয়ার্ড ভুল|\
            கடவுச்சொல்லை மற|დაგავიწყდა|մոռացել եք",
        ..NOTHING
    },
    // Giving up a place.
    Language {
        act: "\
            お席をお譲り|席を譲|让出名额|讓出名額|让出座位|释放名额|자리를 내|자리를 양보|สละที่นั่ง|تنازل عن مقعد|לפנות את המקום|\
            صندلی خود را",
        ..NOTHING
    },
    // A shared folder, and files to fetch.
    Language {
        act: "\
            フォルダを開|フォルダーを開|ファイルをダウンロード|打开文件夹|開啟資料夾|下载文件|下載檔案|下載文件|폴더 열기|파일 다운로드|\
            เปิดโฟลเดอร์|ดาวน์โหลดไฟล์|فتح المجلد|تنزيل الملفات|פתיחת התיקייה|הורדת הקבצים|\
            دریافت فایل|\
            باز کردن پوشه|फ़ोल्डर खोलें|फ़ाइलें डाउनलोड|ফোল্ডার খুলুন|கோப்புகளைப் பதிவிறக்க|\
            ფაილების ჩამოტვირთვა",
        ..NOTHING
    },
    // A survey.
    Language {
        act: "გამოკითხვ|შევსება|问卷填写|填写问卷|填寫問卷|不满意|不滿意|アンケートに答|설문에 답",
        ..NOTHING
    },
    // An end of watching.
    Language {
        leave: "\
            通知を止め|通知を停止|不再关注|不再關注|解除する|登録情報の変更|알림 끄|팔로우 취소|เลิกติดตาม|إلغاء المتابعة|\
            הפסקת מעקב|دنبال نکردن|फ़ॉलो करना बंद|வேண்டாமெனில்",
        ..NOTHING
    },
    // Confirming, coming and not coming.
    Language {
        act: "\
            ご本人である|ご本人か|最後の手続き|본인임을|마지막 단계|لنتأكد أنك|خطوة أخيرة|سآتي|لن آتي|\
            نمی\u{200c}توانم بیایم|\
            نمیتوانم بیایم|नहीं आ पा|გასააქტიურებ|გააქტიურებ",
        ..NOTHING
    },
];

#[cfg(test)]
mod tests {
    use crate::check::effects::prose::Says;

    #[test]
    fn sentences_that_offer_an_action_are_known() {
        for text in [
            "Forgot your key? Choose a new one until tomorrow",
            "Haben Sie Ihr Passwort vergessen? Hier ein neues wählen",
            "Hai dimenticato la password? Scegline un'altra",
            "Glömt lösenordet? Välj ett nytt i dag",
            "Забыли пароль? До завтра можно выбрать новый",
            "パスワードをお忘れですか",
            "Then give it up here, so that somebody else has a chair",
            "Dann geben Sie Ihren Platz wieder frei",
            "Libera il tuo posto qui",
            "Uvolněte své místo do pátku",
            "请在这里让出名额",
            "Ordner öffnen",
            "Ouvrir le dossier de la classe",
            "Otwórz folder klasy",
            "フォルダを開く",
            "下载文件",
            "Ihr Weg zum Fragebogen der Schule",
            "Compila il questionario della scuola",
            "Svara på enkäten om skolan",
            "გამოკითხვის შევსება",
            "Su enlace de un solo uso para hoy",
            "Din personliga länk till skolan",
            "Одноразовая ссылка для родителей",
            "Kontua aktibatzeko, gaur",
            "Segnalalo subito alla scuola",
        ] {
            assert!(Says::of(text).acts, "{text}");
        }
        for text in [
            "Dejar de seguir este tema",
            "Sluta bevaka tråden om skolan",
            "Mezu gehiago jaso nahi ez baduzu",
            "Не следить за темой",
            "Prestani pratiti temu o školi",
            "このスレッドの通知を止める",
            "不再关注此话题",
        ] {
            assert!(Says::of(text).leaves, "{text}");
        }
        for text in [
            "The school has a new folder of old pictures",
            "Der Ordner der Schule ist voll",
            "La carpeta azul de la escuela",
            "学校の新しいフォルダの話",
        ] {
            let says = Says::of(text);
            assert!(!says.acts && !says.leaves, "{text}: {says:?}");
        }
    }
}

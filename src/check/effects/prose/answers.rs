//! Phrases of all languages for the notions that mail asks for most and that the tables of single
//! languages lack: a login that was the reader's own, leaving a group, declining, no more mail.
//! Written as in `west`; a notion is one entry, so that a language that lacks it is seen.

use super::language::Language;

const NOTHING: Language = Language { code: "answers", leave: "", act: "", here: "", read: "" };

/// Phrases of languages that separate words by blanks.
#[rustfmt::skip]
pub(super) static LANGUAGES: &[Language] = &[
    // It was me.
    Language {
        act: "\
            this was me|that was me|yes it was|ja das war ich|=das war ich|das bin ich|\
            c etait bien moi|c etait moi|sono stato io|sono stata io|=ero io|fui yo|\
            he sido yo|=era yo|fui eu|=era eu|dat was ik|dit was ik|=ik was het|det var jag|\
            det var mig|det var meg|se olin minä|=olin minä|to byłem ja|to byłam ja|=to ja|\
            byl jsem to já|byla jsem to já|bol som to ja|bola som to ja|én voltam|eu am fost|\
            am fost eu|to sam bio ja|to sam bila ja|to sem bil jaz|to sem bila jaz|то сам био ја|\
            то сам била ја|аз бях|јас бев|это был я|это была я|=это я|це був я|це була я|=це я|\
            εγώ ήμουν|ήμουν εγώ|bendim|đó là tôi|chính là tôi|itu saya|he estat jo|fun eu|\
            ni izan naiz|tai buvau aš|tas biju es|see olin mina|þetta var ég|fi oedd hwnnw|\
            mise a bhí ann|ilikuwa mimi|dit was ek|ako iyon|isha unë|یہ میں تھا|یہ میں تھی",
        ..NOTHING
    },
    // It was not me, where the table of the language lacks it.
    Language {
        leave: "\
            =not me|ez naiz ni izan|non fun eu|nid fi oedd|ní mise a bhí|haikuwa mimi|\
            dit was nie ek|hindi ako iyon|nuk isha unë|не бев јас|не бях аз|не бях|\
            þetta var ekki ég|see ei olnud mina|tas nebiju es|tai buvau ne aš|no he estat jo|\
            یہ میں نہیں تھا",
        ..NOTHING
    },
    // Leaving a group.
    Language {
        leave: "\
            leave group|leave workspace|leave team|leave channel|leave community|\
            leave the workspace|leave the team|leave the channel|leave the community|\
            leave this workspace|leave this team|leave this channel|leave this community|\
            gruppe verlassen|gruppe jetzt verlassen|verlasse die gruppe|team verlassen|\
            kanal verlassen|gruppe austreten|quitter ce groupe|quitter le groupe|\
            quitter l équipe|quitter la communauté|salir del grupo|salir de este grupo|\
            abandonar el grupo|abandonar este grupo|abandonar grupo|dejar el grupo|\
            dejar este grupo|sair do grupo|sair deste grupo|deixar o grupo|deixar este grupo|\
            abandonar o grupo|lascia il gruppo|lascia questo gruppo|esci dal gruppo|\
            esci da questo gruppo|groep verlaten|verlaat deze groep|verlaat de groep|\
            lämna gruppen|lämna den här gruppen|forlad gruppen|forlad denne gruppe|\
            forlat gruppen|forlat denne gruppen|poistu ryhmästä|poistu tästä ryhmästä|\
            eroa ryhmästä|opuść grupę|opuść tę grupę|opustit skupinu|opustit tuto skupinu|\
            opustiť skupinu|opustiť túto skupinu|kilépés a csoportból|kilépek a csoportból|\
            părăsește grupul|părăsește acest grup|ieși din grup|napusti grupu|\
            napusti ovu grupu|zapusti skupino|zapusti to skupino|напусти групу|\
            напусти ову групу|напусни групата|напусни тази група|напушти ја групата|\
            выйти из группы|выйти из этой группы|вийти з групи|вийти з цієї групи|\
            покинути групу|αποχώρηση από την ομάδα|gruptan ayrıl|gruptan çık|rời khỏi nhóm|\
            rời nhóm|keluar dari grup|tinggalkan grup|tinggalkan kumpulan|keluar kumpulan|\
            abandonar aquest grup|abandonar el grup|sortir del grup|palikti šią grupę|\
            palikti grupę|pamest šo grupu|pamest grupu|lahku sellest grupist|lahku grupist|\
            yfirgefa þennan hóp|yfirgefa hópinn|utzi talde|gadael y grŵp|fág an grúpa|\
            ondoka kwenye kikundi|verlaat hierdie groep|verlaat die groep|umalis sa grupo*|\
            largohu nga grupi|گروپ چھوڑیں",
        ..NOTHING
    },
    // Declining an invitation.
    Language {
        act: "\
            can t come|cannot come|cannot attend|can t attend|unable to attend|count me out|\
            kann leider nicht|kann nicht kommen|kann nicht teilnehmen|kan inte komma|\
            kan inte delta|kan ikke deltage|kan ikke delta|kan ikke komme|en pääse|\
            nie mogę przyjść|nie będę mógł|nie będę mogła|nie przyjdę|nemohu se zúčastnit|\
            nemohu přijít|nemůžu přijít|nemôžem prísť|nemôžem sa zúčastniť|\
            nem tudok részt venni|nem tudok elmenni|nu pot participa|nu pot veni|ne mogu doći|\
            ne morem priti|не могу да дођем|не мога да дойда|не приду|не зможу|\
            δεν μπορώ να έρθω|δεν θα έρθω|katılamayacağım|gelemeyeceğim|không thể tham dự|\
            tidak bisa hadir|tidak dapat hadir|no puc venir|no podré venir",
        ..NOTHING
    },
    // No more mail.
    Language {
        leave: "\
            stumm schalten|less mail*|too many mail*|once a week instead|once a month instead|\
            weekly instead|monthly instead|vil ekki fá|ez dut mezu|ez dut jaso|non quero recibir|\
            nid wyf am gael|ní theastaíonn|sitaki kupokea|wil nie meer|ayaw ko nang|\
            ayaw kong makatanggap|nuk dua më|не сакам повеќе|مزید پیغامات نہیں|نہیں چاہیے",
        ..NOTHING
    },
    // Work on lists, tickets and accounts.
    Language {
        act: "\
            whitelist|allowlist|silence this|silence the|silence alarm*|silence alert*|\
            close this|close the ticket|close ticket|close issue|=escalate|escalate this|\
            escalate the|merge this|merge the pull*|merge pull*|=merge|resend|send again|\
            transfer the|transfer this|transfer my|no longer work here|pause my|pause deliver*|\
            skip this|skip next|skip the next|skip a delivery|dispute this|dispute the|\
            dispute charge*|=dispute|libérer le message|libérez le message|share with|share this|\
            mettre en pause|mettez en pause|pausar|=pausa",
        ..NOTHING
    },
];

/// Phrases of languages whose words are searched for anywhere in a text.
#[rustfmt::skip]
pub(super) static GLUED: &[Language] = &[
    // It was me.
    Language {
        act: "\
            كنت أنا|هذا أنا|זה הייתי אני|הייתי אני|זה אני|من بودم|یه میں تھا|यह मैं था|यह मैं थी|\
            ใช่ฉันเอง|ฉันเอง|ผมเอง|ดิฉันเอง|是我本人|是本人|私です|本人です|접니다|제가 했습니다|\
            제가 맞습니다|본인입니다|আমি ছিলাম|நான்தான்|ეს მე ვიყავი|მე ვიყავი|դա ես էի",
        ..NOTHING
    },
    // It was not me.
    Language {
        leave: "\
            لم أكن أنا|ليس أنا|לא הייתי אני|זה לא אני|من نبودم|मैं नहीं था|मैं नहीं थी|\
            আমি ছিলাম না|நான் இல்லை|ეს მე არ ვიყავი|դա ես չէի",
        ..NOTHING
    },
    // Leaving a group.
    Language {
        leave: "\
            مغادرة هذه المجموعة|مغادرة المجموعة|غادر المجموعة|עזוב את הקבוצה|עזיבת הקבוצה|\
            יציאה מהקבוצה|ترک این گروه|ترک گروه|خروج از گروه|समूह को छोड़ें|समूह छोड़ें|\
            ออกจากกลุ่ม|退出该群组|退出群组|退出該群組|退出群組|退出小组|退出團隊|退出团队|\
            グループから退出|グループを退|グループから抜け|그룹 나가기|그룹에서 나가기|그룹 떠나기|\
            গ্রুপ ছাড়ুন|குழுவிலிருந்து வெளியேறு|ჯგუფის დატოვება|լքել խումբը",
        ..NOTHING
    },
    // Declining an invitation.
    Language {
        act: "\
            لن أتمكن من الحضور|لا أستطيع الحضور|לא אוכל להגיע|לא אגיע|نمیتوانم شرکت|نمیآیم|\
            मैं नहीं आ सकता|मैं नहीं आ सकती|ฉันไปไม่ได้|ไปไม่ได้|ไม่สามารถเข้าร่วม|无法出席|\
            無法出席|不能出席|出席できません|参加できません|참석할 수 없|못 가",
        ..NOTHING
    },
    // No more mail.
    Language {
        leave: "\
            メールを受け取らない|受け取らない|받지 않|संदेश नहीं चाहिए|ईमेल नहीं चाहिए|नहीं चाहिए|\
            செய்திகள் வேண்டாம்|மின்னஞ்சல் வேண்டாம்|այլևս չեմ ուզում|აღარ მსურს|\
            বার্তা পেতে চাই না|পেতে চাই না",
        ..NOTHING
    },
];

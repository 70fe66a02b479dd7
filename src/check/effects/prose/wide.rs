//! Phrases of further languages whose words are separated by blanks, in whatever script: leaving,
//! and the answers that mail asks for most. Written as in `west`, and shorter than its tables.

use super::language::Language;

#[rustfmt::skip]
pub(super) static LANGUAGES: &[Language] = &[
    Language {
        code: "is",
        leave: "afskra*|segja upp askrift|haetta askrift|ruslpost*",
        act: "samþykk*|stadfest*|endurstill*|lykilord*|kjos*|þigg*|hafna*|eyda*|haetta vid|\
            minna mig|breyta tima|eg maeti|sannreyn*",
        here: "her|smelltu her|smella her", read: "lesa meira|nanar",
    },
    Language {
        code: "eu",
        leave: "harpidetza kendu|harpidetza utzi|baja eman|zabor posta",
        act: "onartu|berretsi|berrezarri|pasahitz*|bozkatu|ezabatu|bertan behera|gogorarazi|\
            egiaztatu|ordua aldatu|joango naiz|baztertu|ezetsi",
        here: "hemen|sakatu hemen", read: "irakurri gehiago|gehiago irakurri",
    },
    Language {
        code: "gl",
        leave: "darse de baixa|dar de baixa|cancelar a subscricion",
        act: "aprobar|aproba|aceptar|contrasinal|restablec*|votar|eliminar|anular|lembrarmo*|\
            verificar|comprobar|cambiar a hora|hei ir|rexeitar|confirmar",
        here: "aqui|preme aqui", read: "ler mais|seguir lendo",
    },
    Language {
        code: "cy",
        leave: "dad danysgrif*|dileu tanysgrifiad",
        act: "cymeradwy*|cadarnha*|ailosod*|cyfrinair|pleidlei*|derbyn gwahoddiad|derbyn y|dileu*|\
            canslo*|atgoffa*|gwirio*|newid amser|bydda i|gwrthod*",
        here: "yma|cliciwch yma", read: "darllen mwy|darllenwch fwy",
    },
    Language {
        code: "ga",
        leave: "diliostail*|stop a chur",
        act: "ceadaig*|deimhnig*|athshocraig*|pasfhocal|votail*|glac le|scrios*|cealaig*|\
            meabhraig*|fioraig*|athraigh an|beidh me|diultaig*",
        here: "anseo|cliceail anseo", read: "leigh tuilleadh|leigh nios mo",
    },
    Language {
        code: "ur",
        leave: "سبسکرپشن ختم*|ان سبسکرائب*|رکنیت ختم*|مزید ای میل نہیں",
        act: "منظور*|تصدیق*|پاس ورڈ*|ووٹ*|دعوت قبول*|قبول کریں|حذف*|منسوخ*|یاد دلائ*|\
            وقت تبدیل*|میں آؤں گا|میں آؤں گی|مسترد*|اکاؤنٹ*",
        here: "یہاں|یہاں کلک کریں", read: "مزید پڑھیں",
    },
    Language {
        code: "tl",
        leave: "tumigil sa|itigil ang pagtanggap|mag unsubscribe",
        act: "aprubahan*|kumpirmah*|i reset|bumoto*|tanggapin*|burahin*|kanselah*|paalalahan*|\
            i verify|ilipat ang|pupunta ako|tanggihan*",
        here: "dito|mag click dito", read: "magbasa pa|basahin pa",
    },
    Language {
        code: "kk",
        leave: "жазылымнан бас*|жазылымды тоқтат*|бас тарту",
        act: "мақұлда*|раста*|құпиясөз*|қалпына келтір*|дауыс бер*|қабылда*|жою*|болдырма*|\
            еске сал*|тексер*|уақытты өзгерт*|барамын|қабылдама*",
        here: "осында|мұнда", read: "толығырақ|әрі қарай оқу",
    },
    Language {
        code: "uz",
        leave: "obunani bekor*|obunadan chiq*",
        act: "tasdiql*|parolni*|ovoz ber*|qabul qil*|o chirish|o chirib|bekor qil*|eslat*|\
            tekshir*|vaqtni*|boraman|rad etish|qabulni*",
        here: "bu yerda|bu yerga", read: "batafsil|davomini o qish",
    },
    Language {
        code: "sw",
        leave: "jiondoe|jiondoa|acha kupokea|kujiondoa",
        act: "idhinish*|thibitish*|weka upya|nenosiri|piga kura|kubali*|futa akaunti|futa*|ghairi*|\
            nikumbush*|hakiki*|badilisha muda|nitakuja|kataa*",
        here: "hapa|bofya hapa", read: "soma zaidi",
    },
    Language {
        code: "af",
        leave: "teken uit|meld af|uitteken",
        act: "keur*|goedkeur*|bevestig*|wagwoord*|stem nou|aanvaar*|skrap*|kanselleer*|\
            herinner my|verifieer*|skuif*|=ek kom|wys af",
        here: "hier|klik hier", read: "lees meer",
    },
    Language {
        code: "mn",
        leave: "захиалга цуцл*|захиалгаа цуцл*|бүртгэлээс хас*",
        act: "батла*|баталгаажуул*|нууц үг*|сэргээ*|санал өг*|урилга*|хүлээн ав*|устга*|болих|\
            цуцла*|сануул*|шалга*|цаг өөрчл*|би очно|татгалз*",
        here: "энд|энд дар*", read: "цааш унших|дэлгэрэнгүй",
    },
    Language {
        code: "sq",
        leave: "cregjistro*|çregjistro*|hiq abonimin|ndal abonimin",
        act: "mirato*|konfirmo*|rivendos*|fjalekalim*|voto*|prano*|fshi*|anulo*|kujtoma*|\
            verifiko*|zhvendos*|do te vij|refuzo*",
        here: "ketu|kliko ketu", read: "lexo me shume",
    },
    Language {
        code: "az",
        leave: "abunəlikdən*|abunəliyi*",
        act: "təsdiq*|parolu*|bərpa et*|səs ver*|dəvəti*|qəbul et*|silin|hesabı sil*|ləğv*|\
            xatırlat*|yoxla*|vaxtı dəyi*|gəlirəm|imtina*|rədd et*",
        here: "buradan|bura", read: "ardını oxu*|ətraflı",
    },
    Language {
        code: "lb",
        leave: "ofmell*|ofbestell*",
        act: "guttheesch*|bestateg*|bestäteg*|passwuert*|zerecksetz*|ofstemm*|unhuel*|laschen|\
            läschen|annuleier*|erenner*|iwwerpreiw*|reckel*|ech kommen|refuseier*",
        here: "hei|klickt hei", read: "weiderliesen|liest weider",
    },
    Language {
        code: "eo",
        leave: "malabon*|malaliĝ*",
        act: "aprob*|konfirm*|restarig*|pasvort*|voĉdon*|akcept*|forig*|nulig*|memorig*|kontroli|\
            ŝanĝi horon|mi venos|rifuz*",
        here: "ĉi tie|tie ĉi", read: "legu pli|legi pli",
    },
    Language {
        code: "be",
        leave: "адпіс*|адмовіцца*|адмов*|спыніць рассыл*",
        act: "ухвал*|зацверд*|пацверд*|скінуць*|парол*|галасав*|прагаласав*|прыняць*|прыму*|\
            выдал*|скасав*|нагада*|правер*|перанес*|я прыйду|адхіл*|уваход*",
        here: "тут|сюды|націсніце тут", read: "чытаць далей|падрабязн*",
    },
    // The notions that the longer tables lack: a reminder later, another date, a promise to come.
    Language {
        code: "later",
        leave: "",
        act: "remind me|ring the bell again|count me in|move appointment|change appointment|\
            reschedul*|=i ll come|spater erinnern|termin verlegen|termin verschieben|=bin dabei|\
            adresse prufen|rappeler plus tard|le rappeler|deplacer le rendez vous|=j en suis|\
            verifier mon|posponer*|cambiar la cita|cuenten conmigo|cuenta conmigo|ricordamelo*|\
            sposta l appuntamento|ci saro|adiar*|remarcar*|conta comigo|contem comigo|\
            later herinneren|afspraak verzetten|=ik kom|controleren|paminn mig|boka om|\
            =jag kommer|udskyd*|flyt tiden|=jeg kommer|slumre til|bytt time|=jeg blir med|\
            =blir med|torkuta|siirra aika|tulen mukaan|odloz*|przeloz*|=wchodze w to|odlozit*|\
            presunout*|=prijdu|presunut*|=pridem|overit*|szundi*|athelyez*|=ott leszek|amana|\
            muta programarea|=vin si eu|podsjeti me|pomakni*|=dolazim|prelozi*|prestavi*|\
            priminti*|perkelti*|dalyvausiu|atgadin*|parcelt*|=es naksu|tuleta meelde|tuleta hiljem|\
            muuda aega|=tulen kohale|recorda m ho|canviar l hora|=hi anire|ertele*|=geliyorum|\
            randevuyu*|ingatkan*|ubah jadwal|=saya ikut|tukar masa|=saya datang|nhac toi sau|\
            nhắc tôi sau|doi lich hen|đổi lịch hẹn|tôi sẽ đến|αναβολη*|αλλαγη ωρας|θα ερθω|\
            напомнить позже|перенести*|я приду|нагадати*|отложи*|премести*|ще дойда|\
            одложи*|помери*|долазим|потсети*|доаѓам|ذكرني*|تغيير الموعد|ساحضر|سأحضر|\
            یادآوری*|جابجایی*|می آیم|میآیم|הזכר לי|שינוי תור|אני מגיע",
        here: "", read: "",
    },
];

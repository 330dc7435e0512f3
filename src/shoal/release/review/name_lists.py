"""Common given names and family names of several languages, in plain lower-case letters.

Written down from general knowledge for this purpose, not copied from a register: per language about the names that most
people could list, for English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, the Scandinavian and Slavic
languages, Turkish, Arabic, Indian languages, Chinese, Vietnamese, Korean and Japanese. A name that is as well a common
word, colour, month, trade or place (Rose, Green, June, Baker, Florence) is in WORDS_TOO and counts only beside another
name. The lists need not be complete: a column of names is found if a part of its values is known.
"""

from __future__ import annotations

from shoal.release.review.names import word_set

GIVEN = word_set("""
    james john robert michael david william richard joseph thomas charles christopher daniel matthew anthony donald
    steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas
    eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick frank raymond jack
    dennis jerry tyler aaron jose adam nathan henry zachary douglas peter kyle noah ethan jeremy walter keith
    roger terry sean gerald carl harold dylan arthur lawrence jesse bryan billy bruce gabriel joe logan alan juan albert
    willie elijah wayne randy vincent mason roy ralph bobby russell bradley philip eugene liam oliver lucas owen
    theodore leo oscar harry ernest fred howard stanley leonard clarence earl norman herbert hugh simon neil graham
    nigel ian colin stuart gordon malcolm duncan angus declan brendan connor
    mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley
    kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia kathleen amy
    angela shirley anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn janet
    catherine maria heather diane olivia julie joyce kelly christina lauren joan evelyn judith megan
    andrea cheryl hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice
    julia judy sophia denise marilyn beverly danielle theresa diana brittany natalie isabella
    kayla alexis lori marie mia ava chloe zoe ella lucy eleanor harriet edith ethel mildred doris
    gladys agnes bertha ida ellen margot fiona moira siobhan gillian tracy wendy sally peggy
    hans peter wolfgang klaus jurgen dieter manfred uwe gunter horst bernd heinz werner helmut gerhard rainer ralf
    stefan thorsten torsten andreas matthias markus sven jens jorg dirk olaf frank holger volker karl kurt otto heinrich
    friedrich wilhelm johannes johann georg josef franz hermann ernst rudolf lukas leon finn jonas felix maximilian
    moritz tobias florian sebastian philipp fabian dominik jan tim nils lars
    ursula renate helga monika ingrid petra sabine gisela karin brigitte erika christa elke gabriele heike susanne
    birgit martina claudia anja katrin kathrin silke ute angelika barbel hildegard gertrud irmgard elfriede lieselotte
    jutta annette cornelia kerstin stefanie katharina lena leonie lea sophie johanna charlotte mareike svenja greta
    jean pierre michel andre philippe rene louis alain jacques bernard marcel daniel roger robert claude christian
    gerard francois nicolas laurent olivier thierry pascal eric frederic stephane sebastien julien guillaume mathieu
    antoine maxime hugo thibault baptiste clement yves luc emile gaston etienne benoit xavier
    jeanne francoise monique catherine nathalie isabelle jacqueline sylvie martine madeleine suzanne marguerite
    valerie veronique celine aurelie camille manon ines elodie emilie virginie sandrine chantal brigitte genevieve
    antonio jose manuel francisco juan javier carlos miguel rafael pedro pablo fernando luis sergio jorge alberto
    alvaro diego adrian raul enrique ramon vicente ivan andres joaquin santiago eduardo ricardo roberto jaime ignacio
    alfonso salvador mario emilio gonzalo guillermo hector ruben marcos mateo
    carmen josefa isabel dolores pilar teresa ana francisca antonia mercedes rosario cristina lucia elena rosa
    concepcion manuela marta juana beatriz paula sofia alba irene raquel patricia silvia nuria rocio montserrat consuelo
    esperanza guadalupe yolanda alejandra alejandro valentina ximena camila
    giuseppe giovanni mario luigi francesco angelo vincenzo pietro salvatore carlo franco domenico bruno paolo
    michele giorgio aldo sergio luciano marco matteo lorenzo alessandro andrea davide simone stefano roberto massimo
    giulia chiara francesca federica sara valentina alessia giorgia elisa giovanna angela rosa lucia
    anna maria paola laura silvia simona daniela roberta giuseppina caterina
    joao paulo luiz rui nuno tiago duarte goncalo fatima beatriz ines leonor catarina joana mariana thiago
    hendrik willem cornelis pieter gerrit maarten jeroen bram daan sander wouter anneke marieke sanne femke
    stanislaw andrzej krzysztof piotr pawel tomasz marcin jakub michal mateusz katarzyna malgorzata agnieszka
    ewa zofia jadwiga zbigniew wojciech grzegorz
    erik anders lars nils gustav bjorn olof henrik mikael kristian magnus ole soren jesper ingrid astrid sigrid karin
    solveig freja maja elsa linnea kirsten birgitte
    ivan dmitri dmitry sergei sergey vladimir mikhail nikolai alexei aleksandr boris igor oleg yuri natalia olga
    svetlana tatiana irina yekaterina ekaterina ludmila galina marina nadezhda milan zoran dragan jovan goran
    mehmet mustafa ahmet ali huseyin hasan ibrahim osman yusuf murat emre fatma ayse emine hatice zeynep elif
    mohammed muhammad mohamed ahmed mahmoud omar khaled hassan hussein abdullah abdul karim youssef tariq samir
    aisha amina khadija maryam layla leila yasmin nadia salma
    rajesh sanjay amit anil sunil vijay ravi rahul arjun suresh ramesh deepak priya anita sunita neha pooja kavita
    lakshmi anjali aditya rohan vikram
    wei fang ming xin hua jing yan ying hiroshi takashi kenji yuki akira naoko yoko keiko haruto minh thi
    jisoo minjun seoyeon
""")
FAMILY = word_set("""
    smith johnson williams jones davis garcia rodriguez wilson martinez anderson thomas hernandez moore
    martin thompson lopez lee gonzalez harris clark lewis robinson perez sanchez wright scott
    torres nguyen flores adams nelson hall rivera campbell mitchell roberts gomez phillips evans
    diaz edwards collins reyes stewart morris morales murphy rogers gutierrez ortiz morgan
    peterson bailey reed kelly howard ramos kim cox richardson watson brooks chavez bennett mendoza
    ruiz hughes alvarez castillo sanders patel myers foster jimenez powell jenkins
    russell sullivan henderson coleman simmons patterson jordan reynolds hamilton graham griffin
    wallace moreno west cole hayes bryant herrera gibson ellis tran medina aguilar stevens murray castro marshall
    owens harrison fernandez kennedy wells vargas henry chen freeman webb tucker guzman burns crawford olson simpson
    porter gordon mendez silva shaw snyder dixon munoz hicks holmes palmer wagner
    robertson boyd salazar warren fitzgerald o'brien o'connor o'neill mcdonald macdonald mccarthy
    mclean mckenzie buckley doyle gallagher kavanagh byrne walsh davies hopkins
    muller schmidt schneider weber meyer schulz hoffmann schafer koch bauer richter schroder
    neumann schwarz zimmermann braun kruger hofmann hartmann lange schmitt krause meier lehmann schmid
    schulze maier kohler herrmann konig walter mayer huber kaiser peters scholz moller weiss jung
    hahn schubert vogel friedrich keller gunther berger winkler roth beck lorenz baumann albrecht
    schuster simon ludwig bohm winter kraus schumacher kramer vogt stein jager sommer gross seidel
    heinrich brandt haas schreiber schulte dietrich ziegler kuhn kuhne pohl engel busch bergmann pfeiffer voigt
    bernard dubois durand leroy moreau laurent lefebvre michel bertrand roux fournier girard bonnet
    lambert fontaine rousseau muller lefevre faure merle mercier blanchard gauthier chevalier
    gautier robin masson noel dufour garnier lacroix perrin morin dupont dupuis renard picard
    fernandez gonzalez rodriguez lopez martinez sanchez perez gomez jimenez hernandez diaz alvarez moreno
    romero alonso gutierrez navarro dominguez vazquez gil serrano blanco suarez castro ortega delgado
    marin iglesias nunez garrido calvo cruz vidal cabrera campos vega fuentes carrasco
    aguilar herrero pascual rojas pena soto contreras espinoza valdez
    rossi russo ferrari esposito bianchi romano colombo ricci marino greco gallo conti mancini
    rizzo lombardi moretti barbieri fontana mariani rinaldi caruso ferrara galli martini leone
    santos ferreira pereira oliveira rodrigues martins jesus sousa fernandes goncalves gomes lopes marques
    alves almeida ribeiro pinto carvalho teixeira moreira correia mendes nunes soares vieira
    vries jansen janssen bakker visser smit meijer mulder bos vos peters hendriks dekker dijkstra
    nowak kowalski kowalska wisniewski wojcik kowalczyk kaminski lewandowski zielinski szymanski wozniak dabrowski
    hansen johansen olsen larsen andersen nilsen pedersen jensen nielsen christensen rasmussen sorensen johansson
    andersson karlsson nilsson eriksson larsson olsson persson svensson gustafsson virtanen korhonen
    ivanov ivanova smirnov kuznetsov popov petrov petrova sokolov lebedev kozlov novikov morozov volkov
    horvat novak kovac kovacs nagy szabo toth varga popescu ionescu dimitrov papadopoulos
    yilmaz kaya demir sahin celik yildiz ozturk aydin arslan dogan
    khan ahmed ali hussain hassan rahman malik sheikh hosseini haddad khalil
    singh kumar sharma gupta verma shah reddy mehta joshi agarwal iyer nair das chatterjee mukherjee
    wang li zhang liu chen yang huang zhao wu zhou xu sun zhu hu guo lin luo zheng liang tang xie
    tanaka suzuki sato takahashi watanabe ito yamamoto nakamura kobayashi kato yoshida yamada
    park choi jung kang cho yoon jang tran pham hoang phan vu dang
    cohen levy mizrahi friedman goldberg rosenberg katz shapiro goldstein
    okafor okeke adeyemi mensah owusu mbeki dlamini nkosi
""")
WORDS_TOO = word_set("""
    brown white black green gray grey young king hill wood woods baker cook carter turner parker cooper ward fisher
    hunter mason carpenter taylor miller walker potter shepherd weaver butler gardner barber archer porter page pope
    bishop knight major judge marshall price rice rose rosa lily daisy iris violet ivy jasmine hazel olive amber ruby
    pearl crystal opal jade gem april may june july august summer winter autumn dawn eve joy grace hope faith charity
    mark bill will rob pat art drew grant chase chance sky star storm ray dale glen cliff rich guy frank earl
    allen ford jordan israel chad georgia virginia carolina florence victoria charlotte madison austin jackson
    lincoln washington houston dallas sydney paris chelsea brooklyn savannah houston london berlin christian
    lane street banks fields rivers stone snow long short bush bell cross love wolf fox swan bird hawk
    weiss braun schwarz gross winter sommer koch bauer richter schneider muller weber fischer zimmermann schafer
    schumacher kaiser konig jager vogel stein engel busch jung lange hahn koch keller
    blanco rojas cruz santos jesus campos vega fuentes herrero delgado calvo rosario pilar dolores mercedes esperanza
    concepcion guadalupe consuelo salvador santiago leon
    garnier robin noel petit blanc legrand leroy fontaine chevalier masson
    romano greco gallo leone marino conti bianchi rossi russo pinto
    lee li das don wells west hall park law best small post jean sun hu he an so do min dang tang ming
    long simon henry thomas morris reed sara mia leo ava jack bobby billy tim jan kim ivan jesse
    moor house day read love church temple bridge waters brooks rivera castillo marina milan
""")
HAN_FAMILY = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢"
    "姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)

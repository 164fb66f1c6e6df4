"""Word lists of the English coreference rules."""

from typing import Final

from memory.language.coreference.lists import words

PREPOSITIONS: Final = words(
    """
    of to in on at by with from for about against between among under over after before into through during without
    than as like near beside behind above below toward towards upon onto versus vs including despite except via per
    around across along beyond within until since
    """
)

# Words that follow a subject: auxiliaries, and verbs whose past does not end in -ed.
VERBS: Final = words(
    """
    is was are were be been has had have does did do can could will would may might must shall should became
    becomes began begins begun won wins wrote writes made makes said says told tells took takes went goes gave
    gives got gets came comes left leaves met meets saw sees found finds led leads lost loses held holds kept keeps
    knew knows grew grows fell falls felt feels thought thinks brought brings bought buys sold sells sent sends
    spent spends stood stands ran runs sang sings spoke speaks taught teaches wore wears drew draws drove drives
    chose chooses fought fights beat beats built builds broke breaks caught catches cut cuts hit hits let lets put
    puts set sets read reads sat sits shot shoots slept sleeps swam swims threw throws understood understands woke
    wakes rose rises rode rides hid hides heard hears laid lays lay lies paid pays quit quits seeks sought shows
    shown stole steals struck strikes swore swears bore bears bred fled flees flew flies forgot forgets forgave
    froze hung hangs married
    """
)
NOT_VERBS: Final = words(
    """
    s his this as its us thus plus always perhaps
    """
)

# Capitalised words that name nobody: openers of sentences, dates, titles, places and peoples of all kinds.
NOT_NAMES: Final = words(
    """
    The A An In On At By With From For About After Before When While Where Why How What Which Who Whose That This
    These Those There Here It Its He She His Her Hers Him They Their Them We Our You Your I My Me As And But Or Nor
    So Yet If Then Than To Of Although Though Because Since Until Unless During Through Under Over Into Also
    However Later Soon Once Both Each Every Some Many Most Several All Any Other Another One Two Three Four Five
    Six Seven Eight Nine Ten First Second Third Not No Yes Upon According Despite Following Between Among Born Like
    Unlike Meanwhile Afterwards Eventually Finally Nevertheless Instead Now Today Early Late January February March
    April May June July August September October November December Monday Tuesday Wednesday Thursday Friday
    Saturday Sunday Spring Summer Autumn Winter English American British French German Italian Spanish Russian
    Chinese Japanese Indian Irish Scottish Welsh Australian Canadian European African Asian Jewish Christian
    Catholic Olympic World War University College School Award Awards Prize Championship Championships Cup League
    Party Church Court House State States United Kingdom Union Company Corporation Institute Museum Theatre Theater
    Street Road Park River Island County City Center Centre Department Ministry Minister President Prime King Queen
    Prince Princess Lord Lady Duke Earl General Captain Colonel Doctor Professor Council Committee Association
    Society Press Records Hospital Airport Station America Britain England Scotland Ireland Wales France Germany
    Italy Spain Russia China Japan India Australia Canada Europe Africa Asia London Paris Berlin Rome Moscow Tokyo
    Washington California Texas Hollywood Broadway York Chicago Boston Okay Ok Please Thanks Thank Hello Hi Hey
    Well Oh Wow Sure Great Good Nice Sorry Maybe Just Can Could Would Should Do Does Did Is Are Was Were Has Have
    Had Let Tell Show Give Will Everyone Everybody Nobody Someone God Mr Mrs Ms Dr Sir
    """
)

# Words before a name that tell its sex.
FEMALE_KIN: Final = words(
    """
    wife daughter mother sister girlfriend aunt niece grandmother queen princess actress widow Mrs Miss Ms Lady
    Queen Princess Sister Aunt stepmother granddaughter bride woman girl
    """
)
MALE_KIN: Final = words(
    """
    husband son father brother boyfriend uncle nephew grandfather king prince actor widower Mr Lord King Prince Sir
    Uncle stepfather grandson groom man boy
    """
)

# First names by what they mostly are; a capitalised word that is neither is no person without another sign.
MALE_NAMES: Final = words(
    """
    Aaron Adam Alan Albert Alexander Ali Andrew Andy Anthony Arthur Ben Benjamin Bill Bob Brad Brandon Brian Bruce
    Bryan Carl Carlos Charles Charlie Chris Christopher Colin Craig Daniel Danny Dave David Dennis Derek Diego
    Donald Douglas Ed Edward Eric Ethan Evan Felix Finn Francis Frank Fred Gabriel Gary George Gerald Greg Gregory
    Harold Harry Henry Howard Hugo Ian Isaac Ivan Jack Jackson Jacob Jake James Jason Jeff Jeffrey Jeremy Jerry Jim
    Jimmy Joe Joel John Johnny Jonathan Joseph Josh Joshua Juan Justin Keith Ken Kenneth Kevin Kyle Larry Leo Leon
    Leonard Liam Logan Louis Lucas Luis Luke Marcus Mario Martin Matt Matthew Max Michael Miguel Mike Mohamed
    Muhammad Nathan Neil Nicholas Nick Noah Oliver Oscar Owen Patrick Paul Pedro Peter Phil Philip Ralph Raymond
    Richard Rob Robert Roger Ron Ronald Roy Ryan Samuel Scott Sean Sebastian Simon Stanley Stephen Steve Steven
    Stuart Ted Terry Theo Thomas Tim Timothy Toby Todd Tom Tommy Tony Travis Victor Vincent Walter Wayne William
    Zach
    """
)
FEMALE_NAMES: Final = words(
    """
    Abigail Alice Alicia Alison Amanda Amelia Amy Ana Andrea Angela Anita Ann Anna Anne Annie Audrey Ava Barbara
    Beatrice Becky Bella Beth Betty Bianca Brenda Bridget Camila Carla Carmen Carol Caroline Carolyn Catherine
    Cathy Charlotte Chloe Christina Christine Cindy Clara Claire Clare Cynthia Daisy Dana Deborah Debra Denise
    Diana Diane Donna Doris Dorothy Edith Eleanor Elena Elizabeth Ella Ellen Ellie Emily Emma Erica Erin Esther Eva
    Eve Evelyn Fatima Fiona Florence Frances Gina Gloria Hannah Harriet Hazel Heather Helen Holly Irene Isabel
    Isabella Jane Janet Janice Jasmine Jean Jennifer Jenny Jessica Jill Joan Joanna Joyce Judith Judy Julia Julie
    Karen Kate Katherine Kathleen Kathy Katie Kayla Kelly Kimberly Laura Lauren Layla Leah Lena Lily Linda Lisa
    Lucy Luna Lydia Madison Margaret Maria Marie Marilyn Martha Mary Maya Megan Melanie Melissa Mia Michelle Mila
    Molly Monica Nadia Nancy Naomi Natalie Nicole Nina Nora Olivia Pamela Patricia Paula Penelope Priya Rachel
    Rebecca Rosa Rosie Ruby Ruth Sally Samantha Sandra Sara Sarah Sharon Shirley Sofia Sonia Sophia Sophie Stella
    Stephanie Sue Susan Susie Sylvia Tara Tina Theresa Valerie Vanessa Veronica Victoria Virginia Vivian Wendy
    Yvonne Zoe
    """
)

MALE_ROLES: Final = words(
    """
    husband father dad daddy son brother boyfriend grandfather grandpa uncle nephew grandson fiancé ex-husband
    father-in-law brother-in-law son-in-law stepfather stepson
    """
)
FEMALE_ROLES: Final = words(
    """
    wife mother mom mum mommy daughter sister girlfriend grandmother grandma aunt niece granddaughter fiancée
    ex-wife mother-in-law sister-in-law daughter-in-law stepmother stepdaughter
    """
)
NEUTRAL_ROLES: Final = words(
    """
    boss manager coworker colleague roommate neighbor neighbour teacher doctor friend partner cousin baby child kid
    """
)
PET_ROLES: Final = words(
    """
    dog cat puppy kitten parrot hamster rabbit horse pet
    """
)

# Verbs whose "it" is a thing rather than what was said.
THING_VERBS: Final = words(
    """
    buy bought sell sold use used eat ate drink drank watch watched read play played wear wore drive drove fix
    fixed clean cleaned wash washed cook cooked bake baked feed fed return returned install installed download
    downloaded ride rode repair repaired finish finished order ordered lend lent borrow borrowed
    """
)

# Capitalised after "in" or "to", but no place.
NOT_PLACES: Final = words(
    """
    January February March April May June July August September October November December Monday Tuesday Wednesday
    Thursday Friday Saturday Sunday English French German Spanish Chinese Japanese Italian Christmas Easter Python
    Java I
    """
)

# Nouns that say too little to stand for "it".
VAGUE: Final = words(
    """
    lot bit look break time day chance thing things idea question problem headache cold fever feeling way few
    couple while job call plan good decision mistake point reason note friend better appointment meeting mess fun
    nap walk shower rest fight
    """
)

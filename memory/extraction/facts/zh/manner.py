"""How much somebody likes a thing, and under which condition, in Chinese."""

import re
from typing import Final

from memory.language.conditions import IF_ZH

_LIKES: Final = r"(?:喜欢|喜爱|热爱|爱(?!人)|中意|讨厌|反感|烦)"
DEGREE: Final = (
    re.compile(
        r"(?P<degree>非常|特别|十分|极其|超级|超|最|很|挺|蛮|比较|有点儿?|有些|不太|不怎么|不是很|不大|真的很|真)"
        rf"(?:地|不|再|是|更)*{_LIKES}"
    ),
)
CONDITION: Final = (
    re.compile(
        r"(?P<condition>(?:只有|只在|唯独)?在?(?!小时候|有时|那时|当时|平时|这时|同时|随时|及时)[^，。！？我你他她]{1,12}?"
        rf"(?<!小)(?:的时候|的话|时(?!候))|(?:下雨|雨|下雪|雪|晴|阴|冬|夏|春|秋|冷|热)天)(?:，|里|我|才|也|就|都|最|很|会)*{_LIKES}"
    ),
    re.compile(rf"(?P<condition>(?:如果|{IF_ZH}|只要|除非)[^，。！？]{{1,14}}?)(?:，|我|就|才|会|的话)+{_LIKES}"),
)

"""English verbs whose past has another stem than their present: no rule about endings finds one by the other.

Left out are forms that are another word as often, in English or German ("saw", "left", "rose", "bore", "tore", "held").
"""

from __future__ import annotations

__all__ = ["PRESENT"]

_FORMS = """arise arose arisen | beat beaten | become became | begin began begun | bind bound | bite bitten
    | bleed bled | blow blew blown | break broke broken | breed bred | bring brought | build built | burn burnt
    | buy bought | catch caught | choose chose chosen | come came | creep crept | deal dealt | dig dug | draw drew drawn
    | dream dreamt | drink drank drunk | drive drove driven | eat ate eaten | fall fell fallen | feed fed | fight fought
    | find found | flee fled | fly flew flown | forbid forbade forbidden | forget forgot forgotten
    | forgive forgave forgiven | freeze froze frozen | give gave given | grow grew grown | hang hung | hear heard
    | hide hid hidden | keep kept | kneel knelt | lead led | learn learnt | lend lent
    | lose lost | make made | mean meant | meet met | pay paid | ride rode ridden | ring rang rung | rise risen
    | run ran | seek sought | sell sold | send sent | shake shook shaken | shine shone | shoot shot | show shown
    | shrink shrank shrunk | sing sang sung | sink sank sunk | sit sat | sleep slept | slide slid | speak spoke spoken
    | spend spent | spring sprang sprung | stand stood | steal stole stolen | stick stuck | strike struck stricken
    | swear swore sworn | sweep swept | swim swam swum | swing swung | take took taken | teach taught | tear torn
    | think thought | throw threw thrown | understand understood | wake woke woken | wear wore worn
    | weave wove woven | weep wept | win won | write wrote written"""

PRESENT: dict[str, str] = {
    form: verb for verb, *forms in (line.split() for line in _FORMS.split("|")) for form in forms
}
"""The verb of each such form."""

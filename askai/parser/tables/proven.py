"""The classes of chunks that may follow a class. `python -m tools.proven_neighbours` wrote this file."""

from ...plans.plan import Language

TABLES = {
    Language.EN: """
a > adj border cols con con.session conds
adj > con
all > con con.session
among > comma conds top
and > aux comma con count from own period prep when where which
anyone > aux con mine prep top
apiece > count
ask > a border me the
aux > a adj and anyone aux border come con con.end con.session con.state conds count from group hours it me most nconds period period:day period:latest prep the to top weekdays which
border > a all ask aux comma compare con con.end con.session con.state conds count end ever exist from group hours me more most nconds not only own period period:day prep recent rel show the top weekdays wgroup what when where which
but > show
cols > border con from me nconds prep show
come > border con count from group hours most nconds period period:day prep the weekdays
comma > and aux border but come con con.session con.state conds count except exist group me nconds not only period period:day prep rel show the top wgroup what when which
compare > aux border con count period
con > a adj among and anyone apiece ask aux border cols come comma compare con con.session con.state conds count end ever exist fill from group hours it me mine more most nconds not or own period period:day period:latest period:pair period:weekend prep recent rel show tense than the to top weekdays wgroup when
con.end > aux border con.session period period:day prep the top
con.session > among aux border cols come comma con con.end con.session con.state conds count from group have nconds own period period:day prep que rel show the to top when which
con.state > a aux border cols comma con con.session con.state mine nconds prep the
conds > and aux border comma con con.end con.session con.state conds ever exist group hours more most nconds period period:day period:latest prep since_post the top
count > ask aux border comma compare con con.session conds exist fill from group me own period prep show tense the
does > con.session most
end > and exist top when
ever > a aux border con conds from period prep
except > a con the
exist > a border con conds ever fill from group hours more most period period:day period:latest prep weekdays
fill > aux border comma count own period:day weekdays
from > a all border con conds most nconds prep the wgroup when
group > border comma con conds count period prep show when where
have > con con.state
hours > border comma con hours mine period weekdays
it > border con
me > a aux come con con.session con.state ever most period period:day period:latest the top weekdays
mine > and border comma con conds period period:day what
more > ask border con period
most > border con from period prep to
nconds > border cols come comma con con.session exist period period:day show
not > con
only > period the
or > a con period period:day the
own > a border comma con con.session con.state count fill group mine most prep the
period > a and anyone aux border come comma compare con con.end conds count except exist from group hours more most nconds or period prep rel show than that the weekdays wgroup which
period:day > a border comma con con.end conds except group hours mine or prep than the what
period:latest > a border con hours
period:pair > border
period:weekend > border
prep > a aux border con con.state conds me most nconds the top wgroup when which
que > con
recent > border con me
rel > aux border come con con.end con.state ever except nconds prep the
show > a all border con con.session count fill period:day prep recent the top what when
since_post > con con.session count period top
tense > border when
than > con exist period period:day
that > period
the > and aux cols con con.session con.state conds group hours period show top when
to > con conds
top > a and aux border cols comma con con.end con.session conds from me prep the which
weekdays > border comma con period the
wgroup > aux border come con does exist from have me most own period prep since_post the
what > aux border comma con con.session conds from mine period period:day prep the
when > a and ask aux border comma con con.end con.session con.state does end exist from it me prep rel the top
where > aux border con con.session most own
which > aux border con con.session period the top
""",
    Language.DE: """
a > adj con con.session conds
adj > con
all > con con.session
among > conds
and > aux con count from when
anyone > a con hours mine prep the
aux > a adj and anyone border comma con con.end con.session con.state ever fill group hours me most nconds period period:day period:latest prep the top
border > a all and aux cols comma con con.session con.state count end exist from more own period prep recent show the top wgroup what when where which
cols > aux border group the
come > border con from most nconds period prep the
comma > and border con con.state conds count except from group nconds prep the what when
con > and aux border come comma con con.state end ever exist from group hours me mine most nconds or own period period:day prep than the top weekdays what when
con.end > aux border period period:day the top
con.session > among aux border come comma con con.end con.state exist fill group nconds own period prep the
con.state > a among aux border comma con con.session con.state nconds prep the
conds > a among and aux border comma con con.end con.state conds end exist period period:day prep show
count > aux border con con.session con.state conds exist me period prep the
end > border show when
ever > a among con from period prep the
except > con
exist > a among border con fill group hours most period period:day period:latest period:weekend top weekdays
fill > border con.state period prep weekdays
from > a conds the wgroup which
group > border comma exist period
hours > a border con hours mine period
it > border
me > a among anyone border con con.state ever fill from me most period period:day period:latest prep the top weekdays
mine > con
more > con
most > border con
nconds > aux border come con.state
or > con period
own > a border con con.session con.state own
period > a all anyone aux border comma con con.end count exist from group hours mine more most nconds or prep show than the weekdays
period:day > a anyone border comma con con.end fill group hours mine more prep the
period:latest > a con hours the
period:weekend > a
prep > a aux border comma con conds me the wgroup which
recent > aux
show > all border con con.session prep the
than > period period:day
the > cols con con.end con.session con.state conds period top
top > a adj anyone border con con.end con.session from prep the
weekdays > border con hours period
wgroup > aux come con con.state exist period prep
what > aux come exist period period:day
when > a aux con con.end con.state exist it me period the top
where > aux con exist
which > aux cols con con.session conds
""",
    Language.FR: """
a > border con con.session conds
all > con con.session
among > the
and > a aux con count exist from period period:day the when which
anyone > aux
apiece > border
ask > a anyone aux con from me the
aux > a and border come comma con con.end con.session con.state count from more most nconds prep the top which
border > a all among and ask aux cols comma compare con con.session con.state count end exist from group me more nconds own period period:day prep recent show the top wgroup what when where which
cols > border from
come > border from hours most nconds period period:day prep the weekdays
comma > and aux border cols con.state conds count except exist group hours me nconds period period:day prep the what when which
compare > count
con > a and aux border cols come comma con con.session con.state conds count exist fill from group hours mine more most nconds or own period period:day period:latest prep show the to top weekdays when where
con.end > border period period:day prep rel the top weekdays
con.session > aux border come comma con con.end con.state conds fill group nconds period period:day prep to top when
con.state > border comma con.state nconds prep to
conds > aux border comma con con.state fill hours nconds only period period:day prep
count > a apiece aux border con con.session conds me period the
end > ask
except > con the
exist > a conds count from group more most period period:day the
fill > border comma weekdays
from > con con.session conds the wgroup when
group > border comma con conds most period
hours > border comma period the
me > aux border the
mine > border conds period period:day the
more > con period
most > border con period prep to
nconds > border comma period
ne > aux
only > border
or > con period period:day
own > a border comma con count from most
period > and aux border comma exist from group hours nconds ne or prep that weekdays
period:day > aux border come comma fill hours mine or that what
period:latest > border
period:pair > border
prep > a aux con conds the wgroup which
recent > comma
rel > prep
show > all con con.session the when
that > period period:day
the > aux cols con con.session conds group period period:pair top
to > con conds me
top > aux border comma con con.session con.state conds me prep the
weekdays > border comma period
wgroup > ask aux come con exist from me most own period the
what > border conds mine period period:day
when > a ask aux border comma con con.end con.session me prep the top
where > aux border come con
which > aux border comma con con.session conds the top
""",
    Language.ES: """
a > border con con.session conds top
all > con con.session the
and > aux con count from when which
anyone > con mine prep
aux > con con.end con.session con.state from prep the top weekdays
border > a all anyone aux comma compare con con.end con.session con.state count end ever exist from me most own period period:day prep recent show the top wgroup what when where which
come > a con conds from period period:day prep the
comma > and border come con con.state conds count except nconds own period period:day the what when
compare > con
con > a and anyone aux border come comma con con.session con.state conds count end ever exist fill from group hours mine most nconds or own period period:day period:latest period:pair prep que the top weekdays
con.end > a border from group nconds period period:day prep que the
con.session > aux border comma con con.end con.state conds exist from group have nconds own period:day prep que the top
con.state > a border comma con.session con.state prep the
conds > and aux border comma con con.end con.state conds exist nconds own period period:day prep
count > aux border come con con.session conds period period:day
end > and aux
ever > a aux border con conds hours prep
except > the
exist > border con conds fill group hours most period period:day period:latest prep weekdays
fill > border comma conds
from > a con conds the wgroup when
group > border comma con conds period period:day
have > con.state
hours > border comma period weekdays
me > aux con
mine > a border conds hours period period:day the
most > border comma con period
nconds > border comma period
or > con period period:day
own > a and border con con.session con.state conds fill from group most nconds prep the
period > and border comma con conds end exist group hours nconds or period than weekdays
period:day > a border comma conds count group hours mine or que
period:latest > border comma
period:pair > border
prep > a con.session conds the wgroup which
que > come con con.end most period:day
recent > comma
show > all con con.session the what when
than > period
the > aux con con.session conds exist group period top
top > a and anyone border comma con conds prep que the
weekdays > border period
wgroup > aux come con exist most own period prep que
what > conds mine period period:day prep
when > aux come con con.end the top
where > aux con exist own
which > con con.session the top
""",
    Language.JA: """
adj > con
all > con.session
among > comma conds nconds top
and > comma con period top when
apiece > count show when
ask > border end
aux > and border con end
border > comma con con.end con.session con.state conds end ever group hours most nconds own period period:day the top weekdays wgroup where
cols > border con show since_post
come > con
comma > all compare con con.session con.state conds except group hours mine nconds period show top where which
compare > aux border con
con > adj among and apiece ask aux border cols comma compare con con.session count ever exist fill group more most nconds own period show stop tense the top wgroup what when
con.end > aux con.session conds own which
con.session > among aux border cols comma con con.end con.session count group only own show the top when which
con.state > border comma con con.session show top which
conds > con con.session con.state period since_post tense the top
count > apiece ask aux border comma compare con exist group more own show tense
end > and come comma con period top
ever > con
except > con
exist > border
fill > border count own
group > border comma con con.session count most period show what when where which
hours > comma con tense what
mine > con what
more > ask border compare
most > aux border con wgroup
nconds > border cols comma con con.session period show which
only > border show
own > border count the
period > and ask aux border comma compare con con.end conds count exist group hours most nconds only period show than the weekdays wgroup what which
period:day > comma con con.end conds except hours mine the what
show > border fill since_post
since_post > ask aux border con con.session count period top
stop > border what
tense > ask border con when
than > con more period
the > and border come con con.session conds count group hours more own show top when which
top > border con con.end con.session conds only when which
weekdays > con the
wgroup > aux border con con.session since_post the
what > border con show
when > and ask border comma con end the
where > border con.session
which > border con
""",
}

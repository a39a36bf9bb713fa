"""The classes of chunks that may follow a class. `python -m tools.proven_neighbours` wrote this file."""

from ...plans.plan import Language

TABLES = {
    Language.EN: """
a > adj border cols con con.session conds
adj > con
all > con con.session
among > comma conds nconds the top
and > aux comma con count from own period prep when where which
anyone > a aux con ever mine prep top
apiece > border count
ask > a anyone border me the
aux > a adj and anyone aux border come comma con con.end con.session con.state conds count ever fill from group hours it me more most nconds period period:day period:latest prep the to top weekdays which
border > a all and anyone ask aux cols comma compare con con.end con.session con.state conds count end ever exist from group hours me more most nconds not only own period period:day prep recent rel show the top weekdays wgroup what when where which
but > show
cols > border con conds from me nconds prep show
come > a border con conds count from group hours mine most nconds period period:day prep the weekdays
comma > a and aux border but come con con.session con.state conds count except exist group hours me mine nconds not only period period:day prep rel show the top weekdays wgroup what when which
compare > aux border con count period
con > a adj among and anyone apiece ask aux border cols come comma compare con con.session con.state conds count end ever except exist fill from group hours it me mine more most nconds not or own period period:day period:latest period:pair period:weekend prep recent rel show tense than the to top weekdays wgroup when where
con.end > a aux border con.session period period:day prep que the top
con.session > among aux border cols come comma con con.end con.session con.state conds count fill from group have nconds own period period:day prep que rel show the to top when which
con.state > a aux border cols comma con con.session con.state mine nconds prep rel the to
conds > a and aux border comma con con.end con.session con.state conds ever exist fill group hours more most nconds period period:day period:latest prep rel since_post the to top weekdays
count > apiece ask aux border comma compare con con.session con.state conds exist fill from group me own period period:day prep show tense the
does > con.session most
end > and count exist top when
ever > a aux border come con conds from mine period prep
except > a con the
exist > a border con conds ever fill from group hours more most period period:day period:latest prep weekdays
fill > aux border comma count own period period:day weekdays
from > a all border con conds most nconds prep the wgroup when
group > among border comma con conds count exist period period:day prep show when where
have > con con.state prep
hours > a border comma con end ever hours mine period weekdays
it > border con
me > a aux come con con.session con.state ever most period period:day period:latest prep the top weekdays
mine > and aux border comma con conds period period:day what
more > ask border compare con period
most > border con from period prep to wgroup
nconds > border cols come comma con con.session exist period period:day show
not > con
only > comma period show the
or > a con period period:day the
own > a and border comma con con.session con.state count fill group mine most nconds prep the
period > a and anyone aux border come comma compare con con.end conds count end except exist from group hours more most nconds or period prep que rel show than that the to weekdays wgroup what which
period:day > a border come comma con con.end conds count except fill from group hours mine not or prep than the what
period:latest > a border con hours the
period:pair > border
period:weekend > border
prep > a aux border cols con con.state conds me mine most nconds the top wgroup when which
que > aux con con.end most period
recent > border con me
rel > aux border come con con.end con.state ever except nconds prep the
show > a all border con con.session count fill me only period:day prep recent show the top what when
since_post > con con.session count period top
tense > border when
than > con exist period period:day
that > period
the > and aux border cols come con con.end con.session con.state conds group hours period show top when
to > con conds
top > a and aux border cols comma con con.end con.session con.state conds ever from me period prep que the which
weekdays > border comma con hours only period the
wgroup > aux border come con does exist from have me most own period prep que show since_post the
what > aux border comma con con.session conds from mine period period:day prep the
when > a and ask aux border comma con con.end con.session con.state does end exist from it me prep rel the top
where > aux border con con.session most own
which > aux border con con.session from period the top
""",
    Language.DE: """
a > adj con con.session conds
adj > con
all > con con.session
among > conds
and > aux con count from when
anyone > a con hours mine period prep the
aux > a adj and anyone border comma con con.end con.session con.state ever fill group hours me most nconds period period:day period:latest prep the top
border > a all and aux cols come comma con con.session con.state conds count end exist from hours more own period prep recent show the top wgroup what when where which
cols > aux border group the
come > among border con from most nconds period period:day prep the
comma > and border come con con.state conds count except exist from group nconds only period prep the what when
con > among and aux border come comma con con.state end ever exist from group hours me mine most nconds or own period period:day prep than the top weekdays what when
con.end > aux border period period:day the top
con.session > among aux border come comma con con.end con.state exist fill group nconds own period prep show the
con.state > a among aux border comma con con.session con.state nconds prep the
conds > a among and aux border comma con con.end con.state conds end exist nconds period period:day prep show the
count > aux border con con.session con.state conds exist me period prep the
end > border show the when
ever > a among con from period prep the
except > con
exist > a among border con fill group hours most period period:day period:latest period:weekend top weekdays
fill > border con.end con.state period prep weekdays
from > a conds the wgroup which
group > and border comma exist period
hours > a border comma con hours mine period which
it > border
me > a among anyone border con con.state ever fill from me most period period:day period:latest prep the top weekdays
mine > border con
more > con
most > border con
nconds > aux border come comma con.state period
only > period
or > con period
own > a border con con.session con.state own
period > a all anyone aux border come comma con con.end count except exist fill from group hours mine more most nconds or prep show than the to weekdays
period:day > a anyone border comma con con.end fill from group hours mine more most prep the
period:latest > a con hours prep the
period:weekend > a
prep > a and aux border comma con conds me the wgroup which
recent > aux
show > all border comma con con.session prep the
than > period period:day
the > border cols con con.end con.session con.state conds fill period top
to > when
top > a adj anyone border con con.end con.session from prep the
weekdays > border con hours period
wgroup > aux come con con.state exist period prep
what > aux come con exist from period period:day
when > a aux border come con con.end con.state exist it me period the top
where > aux con exist
which > aux cols con con.session conds
""",
    Language.FR: """
a > adj border con con.session conds
adj > con
all > con con.session
among > the
and > a aux con count exist from own period period:day the when which
anyone > aux
apiece > border
ask > a anyone aux con from me the
aux > a and border come comma con con.end con.session con.state count from more most nconds prep the top which
border > a all among and anyone ask aux cols comma compare con con.session con.state count end exist from group me more nconds own period period:day prep recent show the top wgroup what when where which
cols > border from
come > a and border conds from hours most nconds period period:day prep the weekdays
comma > and aux border cols con.state conds count except exist group hours me nconds period period:day prep the what when which
compare > count
con > a and aux border cols come comma con con.session con.state conds count end exist fill from group hours mine more most nconds ne or own period period:day period:latest prep show the to top weekdays when where
con.end > border come period period:day prep rel the top weekdays
con.session > aux border come comma con con.end con.state conds fill group nconds own period period:day prep to top when
con.state > border comma con.state nconds prep to
conds > aux border comma con con.state conds fill hours nconds only period period:day period:latest prep when
count > a apiece aux border con con.session conds me period the
end > and ask
except > con the
exist > a conds count from group more most period period:day the
fill > border comma weekdays
from > adj con con.session conds the wgroup when
group > border comma con conds most period
hours > border comma period the
me > a aux border the
mine > border conds period period:day the
more > con period
most > border con period prep to
nconds > border comma period
ne > aux come
only > border
or > con period period:day
own > a border comma con count from most
period > and aux border comma exist from group hours nconds ne or prep that weekdays
period:day > aux border come comma count fill hours mine or that what
period:latest > border
period:pair > border
prep > a aux con conds most the wgroup which
recent > comma
rel > prep
show > all con con.session the when
that > period period:day
the > aux cols con con.session conds group period period:pair top
to > con conds me
top > aux border comma con con.session con.state conds me prep the
weekdays > border comma period
wgroup > ask aux come con exist from me most own period period:day prep the
what > border conds mine period period:day the
when > a ask aux border comma con con.end con.session me prep the top
where > aux border come con
which > aux border comma con con.session conds the top
""",
    Language.ES: """
a > border con con.session conds top
all > con con.session the
and > aux con count from own when which
anyone > con conds mine prep
aux > con con.end con.session con.state from prep the top weekdays
border > a all anyone aux comma compare con con.end con.session con.state count end ever exist from me most own period period:day prep recent show the top weekdays wgroup what when where which
cols > nconds
come > a con conds from period period:day prep the
comma > and border come con con.state conds count except hours nconds own period period:day show the what when
compare > con
con > a and anyone aux border come comma con con.session con.state conds count end ever exist fill from group hours mine most nconds or own period period:day period:latest period:pair prep que the top weekdays
con.end > a border from group nconds period period:day prep que the
con.session > aux border comma con con.end con.state conds exist from group have nconds own period:day prep que the top
con.state > a and border comma con.session con.state prep the
conds > and aux border comma con con.end con.state conds exist fill nconds own period period:day prep que
count > aux border come con con.session conds period period:day
end > and aux
ever > a aux border con conds hours prep
except > the
exist > border con conds fill group hours most period period:day period:latest prep the weekdays
fill > border comma conds
from > a con conds the wgroup when
group > border comma con conds period period:day
have > con.state
hours > border comma fill period period:day weekdays
me > aux con
mine > a border conds hours period period:day the
most > border comma con period the
nconds > border comma period
not > con
or > con period period:day
own > a and border con con.session con.state conds fill from group most nconds prep the
period > and border comma con conds end exist fill group hours nconds or period que than weekdays
period:day > a border comma conds count group hours mine not or que
period:latest > border comma
period:pair > border
prep > a cols con con.session conds most the wgroup which
que > aux come con con.end most period period:day
recent > comma
show > all con con.session the what when
than > period
the > aux con con.end con.session conds exist group period top
top > a and anyone border comma con conds period prep que the
weekdays > border period
wgroup > aux come con exist from most own period prep que
what > conds mine period period:day prep
when > aux border come con con.end me the top
where > aux con exist own
which > con con.session the top
""",
    Language.JA: """
adj > con
all > con.session
among > comma conds nconds top
and > comma con period top when
anyone > con
apiece > border count show when
ask > border end
aux > and border comma con end
border > comma con con.end con.session con.state conds end ever group hours most nconds own period period:day period:latest the top weekdays wgroup where
cols > border con period show since_post
come > ask cols con when
comma > all anyone border compare con con.session con.state conds except group hours mine nconds period show top where which
compare > aux border con
con > adj among and apiece ask aux border cols come comma compare con con.session count ever exist fill group more most nconds own period show stop tense the top wgroup what when
con.end > ask aux con.session conds own which
con.session > among aux border cols comma con con.end con.session con.state count fill group only own show the top when which
con.state > border comma con con.session show top which
conds > con con.end con.session con.state count period since_post tense the top
count > apiece ask aux border comma compare con exist fill group more own show tense
end > and come comma con period top
ever > con own
except > con
exist > border
fill > border count ever own show
group > border comma con con.session count most period show what when where which
hours > comma con tense the what
mine > con what
more > ask border compare
most > aux border con wgroup
nconds > border cols comma con con.session period show which
only > border show
own > border con count the
period > adj and apiece ask aux border comma compare con con.end conds count exist group hours most nconds only period show than the top weekdays wgroup what which
period:day > comma con con.end conds count except hours mine the what
period:latest > the
show > border fill show since_post
since_post > ask aux border con con.session count period top
stop > border what
tense > ask border con when
than > con more period
the > and border come con con.end con.session conds count group hours more own show top when which
top > border con con.end con.session con.state conds only when which
weekdays > con count the
wgroup > aux border con con.session period since_post the
what > border con show
when > and ask aux border comma con con.end end the
where > border con.session
which > border con
""",
}

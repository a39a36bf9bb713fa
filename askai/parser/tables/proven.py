"""The classes of the chunks of each verified question. `python -m tools.proven_neighbours` wrote this file."""

from ...plans.plan import Language

TABLES = {
    Language.EN: """
a con
a con con aux ever con mine
a con con con
a con con con fill
a con con from a conds
a con con from a conds period
a con con from conds
a con con hours
a con con hours hours end count
a con con hours period
a con con mine period
a con con period
a con con period hours
a con con period:day
a con con period:pair
a con con prep conds
a con from a conds
a con from conds
a con from conds period
a con from nconds period
a con from the conds period
a con from the conds period:day
a con hours period
a con mine period:day
a con period
a con period:day prep a conds
a con prep conds period
a con prep conds prep conds
a con prep the conds hours
a con.session aux prep conds
a con.session come conds
a con.session con.state prep a conds
a con.session con.state prep conds
a con.session prep conds
a conds con period
all con con con and con con comma
all con con con or con
all con except con and con con period
all con from conds
all con from nconds
all con from the conds period
all con hours period
all con me ever con comma prep the cols
all con nconds period
all con period
all con period except con
all con period nconds
all con prep a cols nconds period
all con prep the conds period
all con weekdays period
all con.session comma the con.state
all con.session nconds
all con.session rel con period comma con.state
and aux the con ever con
aux a adj con aux con con
aux a adj con con con
aux a adj con con mine period
aux a adj con ever con con
aux a con aux con
aux a con aux con period
aux a con come period
aux a con con aux come period
aux a con con aux con period
aux a con con come from conds
aux a con con come from conds period
aux a con con come period
aux a con con comma and own a con
aux a con con con
aux a con con con period
aux a con con con period hours
aux a con con con period:day
aux a con con con prep conds period
aux a con con ever aux come
aux a con con ever aux con comma and when aux the cols con top
aux a con con ever con
aux a con con ever period
aux a con con from conds
aux a con con mine period
aux a con con or con period
aux a con con period
aux a con con period from nconds
aux a con con period hours
aux a con con period:day hours
aux a con con period:latest
aux a con con prep con
aux a con con prep conds
aux a con con prep the conds
aux a con con prep the conds period
aux a con con weekdays
aux a con ever aux con
aux a con ever aux con con
aux a con ever con
aux a con ever con con
aux a con ever con from conds
aux a con ever con mine
aux a con from conds con period
aux a con from conds ever con
aux a con from the con aux con
aux a con from the con ever aux con
aux a con from the con ever con
aux a con.session aux con period
aux a con.session con from a conds con.state
aux a con.session con.end period:day
aux a con.session con.state prep conds
aux a con.session con.state prep conds prep a conds
aux a con.session prep conds
aux a conds con.session con.end
aux adj con aux con period
aux adj con con period
aux anyone aux con the con period
aux anyone con a con
aux anyone con a con con
aux anyone con a con con period
aux anyone con a con period
aux anyone con a con.session period:day
aux anyone con con
aux anyone con con from conds
aux anyone con con from nconds period
aux anyone con con period
aux anyone con from conds
aux anyone con from conds period
aux anyone con hours period
aux anyone con period
aux anyone con period:day
aux anyone con period:latest
aux anyone con prep conds
aux anyone con prep the conds period
aux anyone con the con period
aux anyone con the con period hours
aux anyone con the con period:day
aux anyone ever con con
aux aux con from conds
aux aux more con con period than period
aux con
aux con a con
aux con a con comma and aux con ever aux con
aux con a con period
aux con aux con period
aux con come from conds
aux con comma and count con own
aux con comma and prep wgroup
aux con con
aux con con comma and aux a con ever come con
aux con con con period
aux con con ever aux con
aux con con from conds
aux con con mine
aux con con mine period
aux con con mine period:day
aux con con period
aux con con period comma and own a con
aux con con period hours
aux con con period:day
aux con con.state
aux con con.state comma con.state
aux con con.state mine
aux con con.state mine comma and count con own
aux con ever aux con
aux con from a conds period:day
aux con from conds
aux con from conds more period than period
aux con from conds period
aux con from prep conds
aux con hours
aux con nconds
aux con or con a con period
aux con period
aux con period:day
aux con prep
aux con prep a conds
aux con prep conds
aux con prep conds period
aux con prep mine
aux con prep the conds
aux con prep the conds period
aux con the con
aux con the con period
aux me con a con con period
aux me con a con or con a con period
aux me con a con period
aux me con a con period:day
aux me con a con prep conds
aux me con a con.session period
aux me con a con.session period end when
aux me con a con.session period:day
aux me con con ever
aux me con con period
aux me con conds period to con
aux me con ever period
aux me con from a conds period
aux me con from a conds period:day
aux me con from conds period
aux me con from conds period:latest
aux me con from nconds period
aux me con from the conds period
aux me con from the conds period:latest
aux me con hours ever period
aux me con hours period
aux me con more period compare period
aux me con more period or period
aux me con more period than period
aux me con nconds period
aux me con period
aux me con period comma and aux a con con period
aux me con period comma and from wgroup aux me con period:day
aux me con period:day
aux me con period:day hours
aux me con period:latest
aux me con period:latest hours
aux me con period:weekend
aux me con prep conds
aux me con prep conds ever
aux me con prep conds period
aux me con prep the conds period
aux me con the con period
aux me con the con period comma and aux me con the con period
aux me con weekdays
aux me con weekdays period
aux me ever con
aux me ever con a con
aux me ever con con
aux me ever con from conds
aux me ever con hours period
aux me ever con prep conds
aux me ever con prep the conds
aux more con come period than period
aux more con con come period than period
aux more con con con period:day than period:day
aux the con aux con
aux the con aux con ever period
aux the con aux con period
aux the con aux con period:day
aux the con con
aux the con con and aux con prep
aux the con con and own a con
aux the con con comma and count con con exist period:day
aux the con con comma and own a con
aux the con con comma and own con
aux the con con comma and own con con
aux the con con comma and when aux the top con con
aux the con con comma aux the con con comma and count con own
aux the con con end and aux the con con
aux the con con ever
aux the con con ever period
aux the con con period
aux the con con period and aux the con con period
aux the con con period comma and aux the con con period
aux the con con period:day
aux the con ever aux con
aux the con ever con
aux the con ever con comma and aux it con
aux the con mine aux con
aux the con or the con aux con period
aux the conds con
aux the conds con period
aux the conds con.session con.end period
aux the conds ever con
aux the conds ever con prep a con con period
comma aux con con.state con.state
comma aux con prep the conds
comma aux the con con
comma aux the con ever con
comma but show the con con period
comma count anyone con the con period
comma count con me aux period
comma count con own
comma exist a con con from conds period
comma prep wgroup aux me con period
comma the top con period
comma what aux the top con rel con mine
comma what con period:day
comma when aux a con con come
comma when aux me con prep top
comma when me top con from the conds
comma when me top con prep the conds
comma when me top con the con
comma when the con aux top con
compare con con period compare period
compare con con period period
compare con con period prep con con period
compare con con period prep the con con period
compare con period and period
compare con period period
compare count con period period
compare more con period or period
con
con and con comma when
con come period
con con
con con and con con period count
con con come count
con con comma prep cols
con con comma weekdays only comma period
con con comma when
con con con
con con con when
con con conds
con con count fill
con con end when
con con fill comma show
con con fill comma when
con con from conds
con con from conds comma count
con con from conds period
con con from the conds
con con group
con con group period
con con group period:day
con con hours
con con hours period
con con hours period comma show
con con nconds
con con nconds comma only period
con con nconds comma period
con con or con period
con con period
con con period comma
con con period comma group
con con period comma show
con con period count
con con period from a conds
con con period group
con con period hours
con con period hours comma count
con con period:day
con con period:day comma
con con period:day nconds
con con prep nconds
con con weekdays
con con when
con count group
con except con and con con period
con from conds
con from conds comma
con from conds comma count fill
con from conds period
con from conds period comma
con from nconds
con from nconds period
con from the conds
con group
con group comma
con group comma period
con group conds
con group period
con group period comma
con hours
con hours comma count
con hours comma period
con hours hours period
con hours period
con hours weekdays
con me con
con me con period
con more period than period
con nconds
con nconds comma period
con nconds period
con nconds period:day
con not con period:day
con own
con period
con period comma
con period comma group
con period comma nconds
con period from conds
con period group
con period group conds
con period nconds
con period rel nconds
con period:day
con period:day comma a cols
con period:day comma group
con period:day except con con
con prep
con prep a cols nconds period
con prep a conds period
con prep con comma a
con prep conds
con prep conds period
con prep conds weekdays
con prep the conds
con rel aux con comma when it
con rel come from conds
con rel come nconds
con rel con mine period
con rel con mine period:day
con rel con period:day
con rel con period:day comma except con con
con rel con period:day not con con
con rel con prep conds period
con rel con prep the conds
con rel ever con from conds
con weekdays
con weekdays comma
con weekdays comma count
con weekdays period
con weekdays period comma group
con.session
con.session con period comma con.state
con.session con period con.state
con.session from conds
con.session from conds comma con.state
con.session group
con.session group comma
con.session have con.state prep conds
con.session have con.state rel con period
con.session nconds
con.session prep conds
con.session prep conds comma con.state
con.session prep the conds
con.session rel con period
con.session rel con period con.state
con.session rel con.end period
con.session which con period
con.state comma which con.session aux con.state
con.state comma which con.session own con.state
conds con
conds con ever
conds con period
conds con period comma
conds con.session
count aux a adj con con con
count aux a con con
count aux a con con come
count aux a con con come period
count aux a con con con comma and aux the con con period
count aux a con con period
count aux a con con period:day
count aux a con from conds con fill
count aux anyone con come conds
count aux anyone con period:day
count aux con comma con and con period
count aux con fill
count aux con fill period
count aux con from a conds period
count aux con from conds period
count aux con hours
count aux con period
count aux con prep conds
count aux con weekdays
count aux conds con
count aux me con
count aux me con and con a con
count aux me con and con period
count aux me con con
count aux me con from a conds
count aux me con from a conds period
count aux me con from conds
count aux me con from conds period
count aux me con from nconds period
count aux me con from the conds
count aux me con hours
count aux me con hours period
count aux me con period
count aux me con period comma and count period
count aux me con period:day
count aux me con prep conds
count aux me con prep conds nconds
count aux me con prep conds period
count aux me con prep the conds
count aux me con weekdays
count aux me con weekdays period
count aux the con aux con period
count aux the con con period hours
count aux the conds con fill
count con and con
count con and con aux aux period
count con and con con exist period
count con and con con period
count con and con exist period
count con and con period
count con aux aux group period
count con aux come from conds
count con aux con
count con aux con and con
count con aux con and con fill
count con aux con and con period
count con aux con comma con and con fill
count con aux con fill
count con aux con mine
count con aux con period
count con aux con period comma and own a con
count con aux con period:day
count con aux me con and con
count con aux me con and con period
count con aux me con comma and con
count con aux me con fill
count con aux me con period
count con aux weekdays
count con come from conds
count con come from conds period
count con come from conds prep conds comma and count from conds
count con come from nconds
count con come from the conds
count con come weekdays
count con come weekdays period
count con comma con and con
count con comma con and con con exist period
count con comma con con and con exist period
count con comma con con and con period
count con con and con con exist
count con con and con con fill
count con con and con con period
count con con and con exist
count con con and con exist period
count con con and con period
count con con and con period:day
count con con aux come
count con con aux come prep conds
count con con come from conds
count con con come from nconds
count con con come from the conds
count con con come group period
count con con come prep conds
count con con comma con and con exist period
count con con exist from conds
count con con exist from the conds
count con con exist group period
count con con exist hours
count con con exist period
count con con exist period hours
count con con exist period:day
count con con exist period:latest
count con con from a conds period
count con con from conds
count con con group
count con con group comma
count con con group period
count con con group period comma
count con con hours
count con con hours period
count con con nconds
count con con own
count con con period
count con con period compare period
count con con period nconds
count con con period:day
count con con prep conds exist period
count con con rel come nconds
count con con weekdays
count con exist fill period:day
count con exist from conds fill
count con exist from conds period
count con exist from the conds
count con exist group period
count con exist hours period
count con exist period
count con exist period comma except con con
count con exist period comma nconds
count con exist period group
count con exist period:day
count con exist period:day comma and count period:day
count con exist weekdays
count con exist weekdays period
count con fill period:day
count con from a conds aux aux
count con from a conds period
count con from conds
count con from conds and count from conds
count con from conds con period
count con from conds exist period
count con from conds period
count con from conds period and count from conds period
count con from conds prep conds exist
count con from the conds
count con from the conds exist period
count con from the conds period
count con group
count con group comma
count con group comma period only
count con group conds period
count con group exist period
count con group exist period:day
count con group period
count con hours
count con me aux from conds fill
count con mine period
count con nconds
count con nconds exist period
count con own
count con own and count con
count con own and own con
count con own comma and aux the con con
count con own comma and when aux the top con
count con own comma and when aux top con
count con own mine
count con period
count con period compare period
count con period prep conds group
count con period:day
count con prep conds nconds
count con prep conds period
count con prep conds period comma nconds
count con prep the conds and count prep the conds
count con prep the conds period
count con weekdays
count con weekdays period
count con.session
count con.session aux con.end
count con.session aux con.end period
count con.session aux con.state
count con.session aux con.state con.state
count con.session aux con.state prep conds
count con.session aux prep a conds
count con.session aux prep conds
count con.session come from conds
count con.session con conds
count con.session con.end period
count con.session con.state aux con.state
count con.session group
count con.session own
count con.session own con.state
count con.session own con.state con.state
count con.session own con.state prep conds
count con.session own fill comma con.state
count con.session own group
count con.session own nconds
count con.session own prep conds
count con.session prep conds
count con.session prep conds comma and count prep conds
count con.state con own
count conds aux con prep
count conds con exist group
count conds con.session aux con.state
count exist con con con period
count fill aux me con weekdays
count me con group
count me con period
count the con con period
count the con from conds period
count the con group
count the con group comma rel aux conds
count the con period
count the con.session
end exist a con con period:day
end own a con.session nconds
end when aux me con comma and when aux me con the top con
end when aux me top con comma and when aux me top con
exist a con con
exist a con con con
exist a con con con period
exist a con con from conds period
exist a con con hours period
exist a con con mine period
exist a con con period
exist a con con period hours
exist a con con period weekdays hours
exist a con con period:day
exist a con con period:latest hours
exist a con con prep a conds
exist a con from a cols nconds period
exist a con from conds
exist a con from conds period
exist a con from conds period:day
exist a con from nconds period
exist a con from the conds period
exist a con period
exist a con period hours
exist a con period:day
exist a con period:day hours
exist a con prep conds
exist a con prep conds period
exist a con prep the conds period
exist a con rel con
exist a con weekdays
exist a con weekdays period
exist con con con ever period
exist con con from conds
exist con con hours period
exist con con period
exist con con recent
exist con con weekdays
exist con from conds period
exist con from conds period:day
exist con period
exist con period:latest hours
exist con prep conds period
exist ever a con con prep the conds
exist ever a con from conds
exist more con con period or period
exist more con con period or period rel
exist more con con period than exist period
exist more con con period than period
exist more con period or period
exist more con period than period
from all con.session con.state comma which aux the top
from the con period comma count aux nconds
from the con period comma which aux hours
from wgroup aux con
from wgroup aux con con
from wgroup aux con most
from wgroup aux con period
from wgroup aux me con most period
from wgroup aux me con period
from wgroup aux most from the con con come
from wgroup aux the con con
from wgroup come con
from wgroup have con period
group among the con
group prep con con
group prep most con con period
group prep the con period
me con end when it
more con con period or period
more con con period than period
more con con period:day than period:day
more con period or period
more con period than period
most con con comma wgroup
not con con comma which con come from conds
only the con con from conds period
only the con from conds
own a con
own a con and count con own
own a con con
own a con con comma and when aux the con con
own a con mine
own a con mine and aux the con con
own a con mine comma and aux con con
own a con own
own a con.session
own a con.session con.state prep a conds
own a con.session con.state prep conds
own a con.session con.state prep the conds
own a con.session from a cols nconds
own a con.session from a conds
own a con.session from conds
own a con.session nconds
own a con.session prep a conds
own a con.session prep conds
own con con
own con mine
own con prep
own con.session prep conds
period comma aux a con con
period comma count con comma con and con con exist
period comma count con con and con exist
period comma count con nconds
period comma exist a con con
period comma exist a con from a cols nconds
period comma wgroup aux con to con
period comma wgroup aux most con con
period comma what con
period comma what con prep the conds
period comma which con con hours
period con comma and period con con
period con comma group
period con comma nconds
period con from conds
period what con
period:day comma aux me con
period:day con
prep wgroup aux con con period
prep wgroup aux con from conds most
prep wgroup aux con most
prep wgroup aux con most period
prep wgroup aux me con con
prep wgroup aux me con most
prep wgroup aux me con most period
prep wgroup aux most con con come
prep wgroup aux most con con con
prep wgroup exist most con
prep wgroup exist most con con
prep wgroup most con con con
prep wgroup period aux a con con
prep wgroup period aux con con
prep wgroup period aux me con
prep wgroup period aux me con most
prep wgroup period aux most con con come
prep wgroup period exist con con
prep wgroup period exist most con con
prep when aux me con
recent me con con end when rel
rel the top con from conds
show a con aux con or con
show all con
show all con and con period
show all con come period
show all con con
show all con con come period
show all con con from conds
show all con con hours
show all con con period
show all con con period:day
show all con con rel con conds
show all con from conds
show all con from conds period
show all con from the con
show all con from the conds
show all con from the conds period
show all con hours period
show all con me come hours
show all con me come prep conds period
show all con me con or con period
show all con nconds
show all con nconds period
show all con period
show all con period hours
show all con period nconds
show all con period:day
show all con period:day except con con
show all con rel come from nconds
show all con rel con
show all con rel con period
show all con weekdays
show all con.session comma con.state
show all con.session comma con.state comma rel con period
show all con.session con.state
show all con.session prep conds comma con.state
show all con.session prep conds con.state
show all con.session rel aux con.end
show all con.session rel con period comma con.state
show con
show con and con con period
show con and con period
show con come prep the conds period
show con con
show con con and con
show con con and con period
show con con con period
show con con from conds
show con con from conds period
show con con from the conds
show con con hours
show con con hours hours period
show con con nconds
show con con period
show con con period nconds
show con con rel come nconds
show con from conds
show con from conds period
show con from the conds
show con from the conds period
show con hours period
show con nconds comma period
show con period
show con period except con
show con period hours
show con period nconds
show con period:day
show con prep conds
show con prep conds conds period
show con prep conds period
show con prep the conds period
show con rel come from conds
show con rel come from conds period
show con rel con from conds
show con rel con from conds period
show con rel con mine period
show con rel con mine period:day
show con rel con period hours
show con rel con period:day
show con rel con period:day except con con
show con weekdays
show con.session
show con.session from the conds con.state
show con.session rel aux nconds
show con.session rel con.end period
show con.session rel con.end period:day
show con.session rel prep conds
show count con and con con period
show count con con group period
show count con.session con period con.state
show only the con.session rel come conds
show period con
show period:day comma all con
show period:day con
show period:day con con
show period:day con prep the conds
show recent con con
show show me con prep conds period
show the cols
show the cols from the top con con
show the con come prep conds
show the con con con
show the con con from conds
show the con con from conds period
show the con con group
show the con con mine
show the con con nconds
show the con con period
show the con con period comma nconds
show the con con period group
show the con con period nconds
show the con con period:day
show the con con prep the conds
show the con con rel come from conds
show the con from a conds
show the con from a conds period
show the con from conds
show the con from conds period
show the con from conds prep conds period
show the con from the conds nconds
show the con group
show the con period
show the con period:day
show the con period:day comma except the con con
show the con prep conds
show the con prep conds period
show the con rel con
show the con weekdays period
show the con.session
show the con.session aux con prep con.state
show the con.session comma con.state
show the con.session con.state
show the con.session from conds
show the con.session group
show the con.session have con.state prep conds
show the con.session have prep conds
show the con.session nconds
show the con.session prep conds
show the con.session prep conds con.state
show the con.session prep the conds rel aux con.end
show the con.session rel aux con.end
show the con.session rel aux con.end period
show the con.session rel con period
show the con.session rel con.end period
show the group con period
show the top come con
show the top con
show the top con con
show the top con con from conds
show the top con con nconds
show the top con con period
show the top con from conds
show the top con mine
show the top con not con
show the top con rel con mine
show top con prep the conds
show top con.session
show what con period
show what con period hours
show what con period:day mine
show when a con aux con or con
show when me top con prep the conds
the con
the con aux con period:latest
the con con period
the con from conds
the con from conds period
the con from conds prep the conds
the con from nconds
the con period nconds
the con prep conds period
the con prep the conds
the con rel come period
the con weekdays
the con weekdays period
the con.session
the con.session comma con.state comma rel con period
the con.session group
the con.session group conds
the con.session prep conds
the conds con.session
the group prep con
the top con
the top con con
the top con con period
the top con from a conds
the top con from a conds comma
the top con me ever come
the top con mine
the top con period
the top con prep conds
the top con prep conds prep conds
the top con prep the conds
the top con.session
the top con.session con.state
the top ever con
top cols me con from the conds
top cols me con prep a conds
top cols me ever con prep the conds
top con
top con con
top con con con
top con con ever
top con con nconds
top con con period
top con ever
top con ever from conds
top con ever mine
top con from conds
top con from conds prep conds
top con from the conds
top con from the conds prep conds
top con mine
top con nconds
top con period:day
top con prep cols conds
top con prep conds
top con prep the conds period
top con rel con mine
top con rel ever con mine
top con.session
top con.session con.state
top con.session have con.state
top con.session prep a conds
top con.session rel con.state
top ever con
wgroup aux con con come from
wgroup aux con con come period
wgroup aux con from
wgroup aux con from most
wgroup aux con most
wgroup aux con most prep con
wgroup aux con most to con
wgroup aux con period
wgroup aux con prep
wgroup aux con prep comma con.state
wgroup aux con prep con con period
wgroup aux con prep con period
wgroup aux con prep con.state
wgroup aux con prep most
wgroup aux con prep most period
wgroup aux con prep the con period
wgroup aux con.session come from
wgroup aux con.session prep
wgroup aux me con from most
wgroup aux me con from most period
wgroup aux me con most to con
wgroup aux me con period
wgroup aux me con prep most
wgroup aux me con prep most period
wgroup aux me con to con period
wgroup aux most con
wgroup aux most con come from
wgroup aux most con con
wgroup aux most con con period
wgroup aux most con period
wgroup aux most from the con con come from
wgroup aux most prep con
wgroup aux most to con
wgroup aux prep most con con
wgroup aux prep the con con period
wgroup aux the con come period
wgroup aux the con con come from
wgroup aux the con con period come from
wgroup aux the con con period:day come from
wgroup aux the con.session come
wgroup aux the con.session from
wgroup aux the con.session prep
wgroup aux the top con con come from
wgroup aux the top con con from
wgroup does most con con come from
wgroup does most con con con
wgroup does most from the con con come from
wgroup exist most con con
wgroup from con come period
wgroup from con come period:day
wgroup from con exist period
wgroup from con own
wgroup most con come from
wgroup most con con come from
wgroup most con period
wgroup own most prep con
wgroup own most to con
wgroup period aux con con
wgroup period aux most con
wgroup period aux most con con
wgroup prep the con period
wgroup show prep con con
what aux con mine period
what aux the con.session nconds
what aux the group con
what aux the group prep con
what aux the top con
what aux the top con and from wgroup
what aux the top con come mine
what aux the top con con
what aux the top con con period
what aux the top con period
what aux the top con prep a conds
what aux the top con rel con mine
what aux the top con rel ever con mine
what aux the top con.session
what aux the top con.session con.state
what aux the top con.session prep a conds
what aux top con con from conds
what aux top con rel con mine
what aux top con rel except a con or a con
what aux top me ever con from conds
what comma aux the top con mine
what con exist period comma hours
what con exist period:day
what con from conds period
what con mine period
what con mine period hours
what con mine period:day
what con mine period:day hours
what con period
what con period comma except con and con con
what con period hours
what con period:day
what con period:day comma not con
what con period:day from conds
what con.session own
what from conds
what mine period hours
what mine period:day
what period
what period:day
what prep conds period
what prep the conds period
what prep the conds period:day
what the top con mine
what the top con.session
what the top con.session con.state
what the top con.session from conds
what the top con.session have con.state
when and where aux me top con
when aux a con come con
when aux a con con
when aux a con con come
when aux a con con mine
when aux a con con period
when aux a con top con
when aux a con top con and when aux a con top con
when aux a con top con and when aux the top con
when aux a con top con and when aux top con
when aux a con top con comma and when aux top con
when aux a con top con mine
when aux a con top con prep the conds
when aux anyone con a con con mine
when aux anyone top cols prep a con con
when aux con a con
when aux con con
when aux con con and when it con
when aux con con comma and when aux con con
when aux con con con
when aux con con mine comma and when it con
when aux con from conds
when aux con top con
when aux con.session con
when aux con.session con comma and count con.session own con.state
when aux me con
when aux me con a con
when aux me con a con and when aux me con a con
when aux me con a con and when aux me con it
when aux me con a con con
when aux me con a con con comma and when aux me top con
when aux me con a con con comma and when aux the cols con
when aux me con a con con comma and when aux the con con
when aux me con a con.session from the con.session show
when aux me con adj con
when aux me con and when aux me top con the con
when aux me con comma and when it con
when aux me con con
when aux me con con and when aux me con a con
when aux me con con and when aux me con it
when aux me con con comma and count con own
when aux me con con comma and when aux me con con
when aux me con con comma and when aux me con it
when aux me con con comma and when aux me top con con
when aux me con con mine
when aux me con from conds
when aux me con from the conds top
when aux me con period
when aux me con prep the conds top
when aux me con prep top and when aux me top con
when aux me con the con
when aux me con the con comma and when aux me top con
when aux me con the con comma and when aux me top con a con con
when aux me con the con from the con and when aux the cols con
when aux me con the con top
when aux me con the top con
when aux me con top
when aux me con top from conds
when aux me con.session
when aux me top aux to con
when aux me top con
when aux me top con a con
when aux me top con a con con comma and when aux me top con the con
when aux me top con a con.session
when aux me top con and when aux me top con
when aux me top con and when aux me top con the con
when aux me top con comma and when aux a con top con
when aux me top con comma and when aux me top con
when aux me top con comma and when aux the top con con
when aux me top con con
when aux me top con conds to con
when aux me top con from a conds
when aux me top con from conds
when aux me top con from conds comma and when aux me top con from conds
when aux me top con from conds comma and when from conds
when aux me top con from nconds
when aux me top con from the conds
when aux me top con from the conds and when from a conds
when aux me top con prep a con.session
when aux me top con prep a conds
when aux me top con prep a conds comma and when aux me top con prep a conds
when aux me top con prep conds
when aux me top con prep conds and when aux me top con prep conds
when aux me top con prep conds comma and when prep conds
when aux me top con prep the conds
when aux me top con the con
when aux me top con the con and when aux me top con the con
when aux me top con the con comma and when aux a con top con
when aux me top con the con comma and when aux me top con the con
when aux me top con the conds to con
when aux me top con.session
when aux most con con
when aux period:day con
when aux the con con
when aux the con con comma and when aux me top con the con
when aux the con con comma and when aux the con con
when aux the con con comma and when aux the top con
when aux the con con con comma and when aux the cols con
when aux the con con con comma and when aux the con con
when aux the con con period
when aux the con from a con top con
when aux the con top con
when aux the con top con and when aux me top con a con
when aux the con top con comma and when aux a con con top con
when aux the con top con comma and when aux con con
when aux the con top con comma and when aux con.session con
when aux the con top con comma and when aux me top con a con
when aux the con top con comma and when aux the con top con
when aux the con.session con
when aux the con.session prep conds con.end
when aux the con.session prep the conds con
when aux the con.session prep the conds con.end
when aux the conds top con
when aux the top con
when aux the top con come
when aux the top con comma and when aux the top con
when aux the top con con
when aux the top con con come
when aux the top con con comma and aux the con con
when aux the top con con comma and when aux top con
when aux the top con con con
when aux the top con con from a conds
when aux the top con con prep the conds
when aux the top con from a conds comma and from wgroup aux con most
when aux the top con from conds
when aux the top con period and when aux the top
when aux top a con aux con
when aux top a con aux con mine
when aux top a con con prep the conds
when aux top con
when aux top me con
when aux top me con a con con
when aux top me con from conds
when aux top me con prep conds
when aux top me con prep the conds
when does con.session come
when exist con con
when exist con con con
when exist con period
when me top con
when me top con from conds
when the con aux
when the con aux top con
when the con.session prep the conds con
when top a con aux con
when top me con the con
where aux con
where aux con comma con.state
where aux con con.state
where aux con con.state cols
where aux me con from most
where aux the top con con come from
where aux the top con from
where most con come from
which aux the top con.session
which aux the top con.session con.state
which con aux come prep nconds
which con aux con from conds
which con aux con or con comma and when
which con aux hours period
which con aux me con period
which con aux me con period:day
which con aux the top period
which con aux weekdays
which con come from conds
which con come from conds period
which con come from nconds
which con come from nconds period
which con come from the conds period
which con come hours
which con come nconds period
which con come period
which con come prep conds
which con con and con aux come prep a conds
which con con aux come period comma show prep the cols
which con con aux hours
which con con con period con comma con or con
which con con hours
which con con hours period
which con con nconds
which con con period
which con con weekdays
which con exist period:day hours
which con exist prep the conds
which con period
which con period hours
which con period nconds
which con period:day nconds
which con.session aux con from conds
which con.session aux con period
which con.session aux con period comma con.state
which con.session aux con.end
which con.session aux con.end comma nconds
which con.session aux con.end period
which con.session aux con.end top
which con.session aux con.state
which con.session aux con.state con.state
which con.session aux con.state prep conds
which con.session aux me con nconds
which con.session aux me con period con.state
which con.session aux me con period rel aux con.state
which con.session aux nconds
which con.session aux prep a conds
which con.session aux prep conds
which con.session aux the top
which con.session come from conds
which con.session comma con.state comma aux con period
which con.session comma con.state comma come from conds
which con.session comma con.state comma come from the conds
which con.session comma con.state comma con period
which con.session con a cols nconds
which con.session con period
which con.session con period con.state
which con.session con.end period
which con.session con.end period:day
which con.session con.end top
which con.session nconds
which con.session prep a conds
which con.session prep conds
which con.session prep conds con.end
which con.session rel con period aux con.state
which conds aux con prep
which from the con.session con.end top
which period con aux hours
""",
    Language.DE: """
a con.session come nconds
all con
all con comma prep cols
all con con period comma nconds
all con con period nconds
all con from conds
all con from conds period
all con from the conds
all con from the conds comma
all con nconds period
all con period
all con period comma nconds
all con period except con and con con
all con period nconds
all con period show
all con period:day
all con period:day except con con
all con prep conds
all con prep conds period
all con prep conds period show
all con.session among conds
all con.session among conds comma con.state
all con.session comma con.state comma from conds prep conds
all con.session con.state
all con.session prep conds comma con.state
all con.session prep the conds the con.state
and count con aux period con
and when aux the con con
aux a adj con con con
aux a con
aux a con con
aux a con con come
aux a con con con
aux a con.session prep conds
aux a con.session prep conds con.state
aux anyone a con con
aux anyone period a con the con con
aux con con
aux con period con
aux con prep
aux con.session comma nconds aux
aux con.state con
aux ever a con con
aux ever a con con aux
aux ever the con con
aux me a con con
aux me among conds con
aux me anyone hours con con con
aux me anyone prep conds con
aux me ever among conds con
aux me ever from conds prep con
aux me ever period from conds prep con
aux me ever prep conds among conds con
aux me ever prep conds con
aux me ever prep conds prep conds con
aux me period anyone mine con
aux me period anyone prep conds con
aux me period con
aux me period from conds prep con
aux me period more con than period
aux me period prep conds con
aux me period:day anyone con
aux me period:day anyone mine con
aux me period:day comma prep conds con
aux me period:day con
aux me period:day con end
aux me period:day from conds prep con
aux me period:day prep conds con
aux me period:latest con mine con
aux me period:latest hours con
aux me period:latest prep conds con
aux me prep conds con
aux me the con period con
aux me weekdays con
aux period a adj con con
aux period a con con
aux period a con con come
aux period a con con or con
aux period a con prep a con con
aux period a con the con con
aux period anyone a con con come
aux period anyone the con con
aux period con con
aux period more con con than period
aux period more con prep con than period
aux period more con than period
aux period the con con
aux period the con mine con
aux period the con the con con
aux period:day a con con
aux period:day a con prep conds
aux period:day con con
aux period:day more con prep con than period:day
aux period:day the con con
aux period:day the con the con con
aux period:latest a con con
aux period:latest hours a con come
aux period:latest the con prep a con con
aux period:latest the con the con con
aux prep a conds a con.session
aux prep a conds con
aux prep conds con
aux prep me a con con
aux prep me con con.state
aux prep me the con con
aux prep me the con prep
aux prep the conds a con con come
aux prep the conds con
aux the con con
aux the con con and aux a con
aux the con con and aux con
aux the con con and aux the con prep
aux the con con and count con aux
aux the con con and count con own
aux the con con comma and aux the con con
aux the con con comma and when aux top con
aux the con con.state
aux the con ever con
aux the con period con
aux the con prep
aux the con prep and count con aux
aux the con prep me con
aux the con prep me con.state
cols the top con
come period a con con from a conds
come period a con prep conds
comma aux the con con
comma count con group exist
comma exist period:day con prep conds
comma from wgroup prep me me period con aux
comma period a con prep conds exist
comma period con con exist
comma when aux me top prep conds con
comma when aux the top con
comma when me con con aux
comma when me me top con aux
comma when me me top from the conds prep con aux
comma when the con aux
comma when top a con con aux
con among conds period
con and con con period:day
con comma what period hours mine con aux
con comma what period:day con aux
con comma what period:day prep con con aux
con con
con con comma nconds
con con comma nconds come
con con from conds comma show
con con from the conds
con con group
con con group period
con con hours
con con hours comma count aux the fill
con con nconds
con con or con period
con con period
con con period comma nconds
con con period comma nconds come
con con period show
con con period:day
con con period:day group
con con prep conds
con con prep conds period
con con prep the con comma count
con con the period
con from conds
con from conds comma only the top
con from conds period
con from conds show
con from the conds
con group
con group period
con hours
con hours period
con nconds
con nconds comma only period
con nconds period
con or con period
con period
con period comma group
con period comma nconds
con period comma nconds come
con period group
con period group comma
con period hours
con period nconds
con period weekdays
con period:day
con period:day group
con prep conds
con prep conds conds period
con prep conds end show
con prep conds nconds
con prep conds period
con prep conds period:day
con the period
con weekdays
con weekdays hours
con weekdays period
con what period con aux
con when top
con.session comma nconds come
con.session con.state
con.session group
con.session group comma conds
con.session nconds
con.session nconds aux
con.session period the con.end aux
con.session prep conds
con.session prep the conds comma the con.state
con.session the period con aux
con.state a con.session prep a conds prep conds
con.state a con.session prep conds
con.state con.state a con.session prep conds
con.state prep the conds a con.session
conds con
count aux a con con
count aux a con con come
count aux con con
count aux me fill weekdays con
count aux me from conds prep con
count aux me period anyone prep conds con
count aux me period con
count aux me period from conds prep con
count aux me period prep conds con
count aux me period prep conds prep conds con
count aux me period:day con
count aux me period:day con and con
count aux me prep conds con
count aux me weekdays con
count aux period a con con
count aux the con con
count aux the con period con
count aux the con period:day con
count come period a con con
count con among conds group
count con and con aux period
count con and con con aux period
count con and con con exist period
count con and con exist period
count con and con period
count con aux
count con aux and when aux the top con
count con aux con
count con aux con and con
count con aux con comma con and con
count con aux fill con
count con aux fill weekdays
count con aux group
count con aux mine con
count con aux nconds
count con aux period
count con aux period and count period
count con aux period con
count con aux period group
count con aux period hours con
count con aux period:day
count con aux period:day con
count con aux prep conds and count prep conds
count con come nconds
count con come period nconds
count con come prep conds
count con comma con and con con exist period
count con con come from conds
count con con come prep conds
count con con exist fill
count con con exist group
count con con exist hours
count con con exist period
count con con exist period group
count con con exist period hours
count con con exist period:day
count con con group
count con con period
count con con period:day
count con con prep the con exist period
count con exist fill
count con exist fill weekdays
count con exist group
count con exist group comma prep conds
count con exist group period
count con exist hours
count con exist period
count con exist period comma nconds come
count con exist period fill
count con exist period group
count con exist period prep the conds
count con exist period weekdays
count con exist period:day
count con exist period:day fill
count con exist weekdays
count con from conds exist period hours
count con from the conds aux con
count con group
count con group and count con con group
count con group period
count con own
count con own own
count con period
count con period aux nconds
count con period comma count period
count con period hours
count con period:day
count con prep con exist period hours
count con prep con exist period prep conds
count con prep con exist period:day
count con prep conds exist period
count con prep conds period
count con.session aux
count con.session aux comma nconds con.state
count con.session aux con.end
count con.session aux con.state
count con.session aux con.state comma con.state
count con.session aux fill con.end
count con.session aux group
count con.session aux period con.end
count con.session aux prep conds
count con.session aux prep conds con.state
count con.session aux prep me con.state
count con.session come among conds
count con.session con.end period
count con.session con.state
count con.session con.state among conds
count con.session con.state con.state
count con.session con.state prep conds
count con.session own
count con.session own con.state
count con.session own group
count con.state aux con
count conds aux con
count exist a con prep conds
count me the con period
count the con comma nconds come
count the con from conds
count the con group period
count the con.session aux period con
end when aux top a con con
exist a con
exist a con prep conds
exist con
exist con con prep conds
exist con hours
exist con period
exist con prep conds
exist hours a con
exist hours hours con con period
exist period a con
exist period a con con
exist period a con mine
exist period a con prep con
exist period a con prep the con
exist period con
exist period con among conds
exist period con con
exist period con con and aux the con con
exist period con con prep conds
exist period con hours
exist period con prep conds
exist period hours a con
exist period hours a con con
exist period hours con mine
exist period more con con than period
exist period more con prep con than period
exist period more con than period
exist period:day a con
exist period:day a con con
exist period:day a con con prep conds
exist period:day a con prep conds
exist period:day con con
exist period:day con con prep conds
exist period:day con prep con
exist period:day hours con con
exist period:latest a con from a conds
exist period:latest a con prep conds
exist period:latest con
exist period:weekend a con
from wgroup aux me period con
from wgroup aux top a con con
from wgroup come most con
from wgroup come most con con
from wgroup come period con con
from wgroup come period con prep con
from wgroup come the con con
from wgroup come the con con period
from wgroup come the con period
from wgroup come the top con con
from wgroup come the top con prep conds
from wgroup con me most
from wgroup exist most con
from wgroup prep aux me con
from wgroup prep aux me most con
from wgroup prep aux me period con
from wgroup prep aux me period most con
from wgroup prep con me most
group period
hours which con exist period
more con con period or period
more con period or period
more con period than period
own a con
own a con.session prep a conds
own a con.session prep conds
own con
own con own
own con.session prep conds
period all con comma nconds
period comma count con
period con comma nconds come
period con con
period count con
period the con
prep conds con period to when
prep wgroup aux con
prep wgroup aux con con
prep wgroup aux con.state con
prep wgroup aux me fill prep conds con
prep wgroup aux me most con
prep wgroup aux me period con
prep wgroup aux me period most con
prep wgroup aux me period prep conds con
prep wgroup aux me prep conds con
prep wgroup aux most con
prep wgroup aux most con con
prep wgroup aux the con period con
prep wgroup come period the con con
prep wgroup come the con con period
prep wgroup con me most
prep wgroup con.state aux con
prep wgroup exist con con
prep wgroup exist most con
prep wgroup exist most con con
prep wgroup exist most con prep conds
prep wgroup exist most con prep the con
prep wgroup exist period a con
prep wgroup exist period con con
prep wgroup period exist con con
prep wgroup period exist most con con
prep which conds aux con
recent aux a con con end when it
show all con
show all con and con
show all con comma nconds come
show all con con period
show all con con period comma nconds come
show all con con period prep
show all con con period:day
show all con con prep
show all con con prep conds period
show all con from conds
show all con from conds period
show all con from the conds
show all con hours
show all con hours period
show all con nconds
show all con period
show all con period prep
show all con period:day
show all con prep conds
show all con prep conds period
show all con.session
show all con.session comma the con.state
show all con.session con.state
show comma what period:day mine con aux
show con comma what from the conds period come
show con comma what period:day con aux
show con comma what period:day mine con aux
show con from the conds period
show con period
show con period:day
show con prep conds period
show con.session prep conds
show prep comma when period con con or con aux
show the cols
show the cols the top con
show the con
show the con comma nconds come
show the con con comma nconds come
show the con con from conds
show the con con hours period
show the con period
show the con period comma nconds
show the con period hours
show the con period:day
show the con prep comma the period hours
show the con prep conds
show the con prep conds period
show the con.session
show the con.session prep conds
show the top con
show the top con con
show the top con con from conds
show the top con except con
show the top con from conds
show the top con mine
show the top con period
show the top con prep conds
show the top con.session comma the con.state
the cols
the cols group
the con hours comma
the con.session comma con.state
the top con
the top con comma nconds come
the top con con
the top con con from conds
the top con con period
the top con con prep conds
the top con period
the top con period comma when aux the
the top con prep conds
the top con when con
the top con.session
top con
top con comma nconds come
top con con
top con con from conds
top con con nconds come
top con con prep conds
top con period
top con prep con
top con prep conds
top con when
top con.session comma
wgroup aux con
wgroup aux con end the con.session show
wgroup aux me period most con
wgroup aux most con
wgroup aux most con con
wgroup aux period con con
wgroup aux period most con con
wgroup aux prep con con most con
wgroup aux prep con most con
wgroup come most con con
wgroup con me
wgroup con me most
wgroup exist most con con
wgroup exist most con prep con
wgroup exist most con prep con period
wgroup exist period most con
wgroup exist period:day
wgroup exist period:day most con
wgroup period aux most con con
what aux period con
what aux period con con
what aux period con mine
what aux period hours con
what aux period hours mine con
what aux period mine con
what aux period:day comma con
what aux period:day con
what aux period:day con comma except con
what aux period:day con con
what aux period:day con con mine
what aux period:day con mine con
what aux period:day hours mine con
what aux period:day mine con
what aux the top con
what aux the top con.session
what come con from conds
what come period:day comma con prep the con
what con period
what con period:day
what exist period:day prep con
what period
what period mine
what period:day
when aux a con con
when aux a con con come
when aux a con con con
when aux adj con con
when aux anyone a con con come
when aux con
when aux con con
when aux con con and when aux a con
when aux con con comma and when aux the con con
when aux con con or con
when aux con.session
when aux con.session con
when aux me a con
when aux me period con
when aux me period:day con
when aux me period:latest con
when aux me prep conds con
when aux me the con con
when aux me top a con
when aux me top anyone prep conds con
when aux me top con
when aux me top con and from which cols aux the top con
when aux me top con and when aux the top con
when aux me top con and when top con
when aux me top from conds prep con
when aux me top prep a conds con
when aux me top prep conds con
when aux me top prep conds con and when top prep conds
when aux me top prep conds con comma and when prep conds
when aux me top prep conds con comma and when top prep conds
when aux period a con con
when aux period:day a con con
when aux the con
when aux the con and when the con con
when aux the con con
when aux the con con and when aux the con con
when aux the con con and when the con
when aux the con con and when the con con
when aux the con con and when top a con con
when aux the con con aux
when aux the con the con con
when aux the con top con
when aux the con top con and when the con
when aux the con top con and when top a con con
when aux the con.session con
when aux the con.session prep conds con
when aux the con.session prep the conds con
when aux the con.session prep the conds con.end
when aux the conds con
when aux the top con
when aux the top con con
when aux the top con con and when aux a con
when aux the top con con and when aux top a con
when aux the top con con and when top con con
when aux the top con con period
when aux the top con con prep a conds
when aux the top con from conds
when aux the top con prep conds
when aux the top con prep conds and when the top prep conds
when aux the top con prep the conds
when aux top a adj con con con
when aux top a con con
when aux top a con con and when a con
when aux top a con con and when aux a con
when aux top a con con and when top a con
when aux top a con con aux
when aux top a con con come
when aux top a con con comma and when aux a con
when aux top a con con comma and when aux top a con
when aux top a con con comma and when top a con
when aux top a con prep conds con
when aux top adj con con
when aux top con con
when aux top con con and when top the con con
when aux top the con con
when aux top the con con and when aux the con top con
when aux top the con con and when the con
when aux top the con con comma and count con aux
when aux top the con prep a con con
when come the top con from conds prep
when con the con.session among conds comma the con.state
when con.end the con.session among conds
when con.end the con.session prep conds
when con.state con.session
when con.state the con.session prep conds
when con.state the con.session prep the conds
when exist con prep conds period
when exist most con con
when exist the top con con prep conds
when exist top a con
where aux con
where aux con comma con.state
where aux con.state con
where aux me most con
where aux the top con prep conds
where con me most
where exist period most con
which aux the top con con comma nconds come
which con aux hours
which con aux period con
which con aux period hours
which con aux period:day
which con come from conds
which con come from conds period
which con come from the conds
which con come nconds
which con come prep conds
which con come prep conds nconds
which con con come nconds
which con con come prep conds
which con con exist period
which con exist hours hours
which con exist hours period
which con exist period
which con exist period except con
which con exist period prep the conds
which con exist period weekdays
which con exist period:day
which con exist period:day hours
which con exist period:day prep a conds
which con exist period:latest hours
which con exist weekdays hours
which con.session aux
which con.session aux con.end
which con.session aux con.state
which con.session aux con.state con.state
which con.session aux fill period con comma con.state
which con.session aux nconds
which con.session aux period con
which con.session aux period con comma con.state
which con.session aux period con comma the con.state
which con.session aux period con.end
which con.session aux period con.end aux
which con.session aux period:day con.end
which con.session aux period:day con.end aux
which con.session aux prep a conds
which con.session aux prep conds
which con.session aux prep the conds con.state
which con.session aux the top
which con.session aux top con.end
which con.session come among conds
which con.session come nconds
which con.session come prep conds
which con.session come prep conds comma con.state
which con.session comma con.state comma come prep conds
which con.session con.end period
which con.session con.end period:day
which con.session con.end top
which con.session con.state
which con.session con.state among conds
which con.session con.state con.state
which con.session con.state nconds
which con.session con.state prep a conds
which con.session con.state prep conds
which con.session con.state prep me among conds
which con.session con.state prep the conds
which con.session exist among conds
which con.session fill con.state
which con.session prep conds aux con.end
which con.session prep conds aux the top
which con.session prep conds aux top con.end
which con.session prep conds conds aux con.end
""",
    Language.FR: """
a adj con aux con con
a adj con aux con con comma period
a con aux come conds
a con aux con
a con aux con con
a con aux con mine period
a con aux con nconds
a con aux con period
a con aux con period comma and a con aux con period
a con aux con period:day
a con aux con period:latest
a con aux con to conds
a con con aux come period
a con con aux con
a con from con aux con period
a con.session aux con period
a con.session aux con period:day
a con.session aux con.state to conds
all con comma
all con con
all con con period comma
all con conds
all con conds period
all con from the conds period
all con nconds
all con period
all con period nconds
all con period:day
all con prep conds
all con prep conds period
all con.session con period comma con.state
all the con period except the con
all the con period nconds
among the con.session comma which aux top
among the con.session comma which aux top comma con.state
and period:day comma count con con
anyone aux con a con the period
anyone aux con to con period
ask a con aux con
ask a con aux con mine
ask a con aux con period
ask a con con aux come period:day
ask a con con period
ask a con.session con.end period:day
ask anyone aux con a con period:day
ask anyone aux con conds
ask anyone aux con period:day
ask anyone aux con the con period
ask aux con conds
ask from con con aux con period
ask me aux con conds period
ask me aux con more period that period
ask me aux con period
ask me aux con period:day
ask me aux con period:day hours
ask me aux con period:latest
ask me aux con prep conds
ask me aux con prep conds period
ask me aux con prep conds period:day
ask me aux con prep the conds period:day
ask the con aux con
ask the con aux con mine
ask the con aux con period
ask the con prep con aux con mine
aux a con
aux a con and count con own
aux a con and the con aux con.state
aux a con come
aux a con comma and count con aux
aux a con con
aux a con con come
aux a con con.state
aux a con period
aux a con.session prep a conds
aux a con.session prep conds
aux a con.session to conds
aux come a con con
aux con a con
aux con a con period
aux con a con period:day
aux con a con period:latest
aux con a con to conds
aux con a con when
aux con con.session when
aux con con.state
aux con conds
aux con conds con period
aux con conds period
aux con from con period
aux con from con when
aux con hours the period
aux con mine conds
aux con more period or period
aux con more period that period
aux con nconds period
aux con period
aux con period:day
aux con prep a conds
aux con prep conds
aux con prep conds period
aux con prep conds prep conds
aux con prep the conds
aux con the con
aux con the con period
aux con the con period:latest
aux con the con prep con
aux con to con the con period
aux con to con the con when
aux con weekdays
aux con where
aux con.session
aux con.session period
aux count con
aux count con.session
aux count con.session prep a conds
aux from con con.state
aux from con.session prep conds
aux more con period or period
aux more con period that period
aux the con con
aux which comma the top con.session
cols from con
cols from con con and con
cols from con from con
comma count me aux con prep conds
comma me a con con con
comma prep wgroup aux con.session
comma the con aux con
comma the con period
comma when aux con the con
comma when the con aux con top
comma when top me aux con conds
comma which con exist conds period
comma which the top con conds
compare count con period and period
con and con period:day count apiece
con come from conds
con come from the conds
con come from the conds period
con con
con con and con con count apiece
con con comma group
con con conds
con con conds period
con con group
con con group period
con con hours
con con hours comma period
con con mine period:day
con con nconds
con con or con con show the cols
con con period
con con period:day
con con prep conds
con con to conds
con conds
con conds comma period
con conds nconds
con conds period
con from con and con from con period
con from conds period
con group
con group comma
con group conds
con group period
con hours
con hours comma hours
con hours period
con nconds
con nconds period
con period
con period comma conds only
con period comma count
con period comma nconds
con period hours
con period nconds
con period:day
con period:day comma
con period:day hours
con prep conds
con prep conds nconds
con prep conds nconds period
con prep conds period
con prep the conds period
con prep wgroup most
con to conds
con weekdays comma period
con weekdays period
con.session con.end comma nconds
con.session con.end period
con.session con.end prep conds
con.session conds nconds
con.session group
con.session nconds
con.session prep a conds
con.session prep conds
con.session top prep a conds
con.state comma aux from con.session
con.state comma count con.session aux con.state
count a con aux con
count a con aux con period
count aux con and con period
count aux con conds
count aux con conds period
count aux con nconds period
count aux con period
count aux con period:day
count aux con prep conds period
count aux con the con
count aux con to con
count aux con to con prep conds
count aux con.session
count con
count con and con con period
count con and con period
count con and con period:day
count con and con the period
count con and from con aux come period
count con and from con con period
count con and from con exist period
count con and from con period
count con aux
count con aux and aux a con
count con aux come and count aux con
count con aux come period
count con aux come period:day
count con aux come prep conds period
count con aux con
count con aux con fill
count con aux con period
count con aux con period:day
count con come from conds
count con con and con
count con con and con con
count con con and con exist period:day
count con con and con period
count con con and from con period
count con con aux
count con con con and con con
count con con conds
count con con exist conds
count con con exist prep conds
count con con group
count con con period
count con con period hours
count con con period:day
count con conds
count con conds fill
count con conds period
count con exist group period
count con exist period
count con exist period:day
count con exist the period
count con fill weekdays
count con from con and con from con con
count con from con period
count con group
count con group conds
count con group period
count con group period comma
count con hours
count con own
count con own comma and when the top aux con
count con period
count con period comma and count period
count con period comma nconds
count con period prep conds
count con period:day
count con period:day fill
count con period:day hours
count con prep conds
count con prep conds fill
count con prep conds period
count con the con own
count con the period
count con to con
count con to conds period
count con weekdays period
count con.session aux
count con.session aux comma con.state
count con.session aux con period
count con.session aux con.state
count con.session aux con.state comma con.state
count con.session aux con.state con.state
count con.session aux con.state nconds
count con.session aux con.state to conds
count con.session aux prep a conds
count con.session aux prep conds
count con.session aux to conds
count con.session comma con.state comma aux con period
count con.session con.end period
count con.session con.state
count con.session fill
count con.session fill comma con.state comma aux con period
count con.session group
count con.session own
count con.session prep a conds
count con.session prep conds
count con.session to conds
count con.session to conds comma and count con own
count conds aux con mine
count me aux con and con period
count me aux con fill
count me aux con period
count me aux con period prep conds
count me aux con period:day
count me aux con prep conds
count me aux con prep conds period
count me aux con prep conds prep conds period
count me aux con prep the conds
count me aux con prep the conds period
count the con period ne come nconds
count the con.session aux con period
count the con.session aux con.end
count the con.session aux prep conds
count the con.session come from conds
count the conds aux con period
end ask the con aux con period
exist a con con period
exist a con con period:day
exist a con conds
exist a con conds period
exist a con from con period
exist a con period
exist a con period:day
exist a con period:day hours
exist a con prep the conds conds period:latest
exist a con prep the conds hours
exist count con con period
exist count con group
exist count con period:day
exist from con
exist from con con conds
exist from con con from the con period:day
exist from con con period
exist from con con period weekdays
exist from con con period:day
exist from con conds
exist from con conds period
exist from con hours
exist from con hours comma hours comma period
exist from con hours period
exist from con nconds period
exist from con period
exist from con period hours
exist from con period:day
exist from con the period hours
exist from con weekdays period
exist more con con period that period
exist more con period or period
exist more con period that period
exist more con period:day or period:day
exist more con period:day that period:day
exist period from con nconds
exist period from con prep conds
from adj con aux con period
from con aux con period
from con con conds period
from con conds
from con period
from con period:day
from wgroup aux con most
from wgroup aux con period
from wgroup aux the con period:day hours
from wgroup come most con
from wgroup come most con con
from wgroup come most con period
from wgroup come the con
from wgroup come the con con
from wgroup come the con con period
from wgroup come the con con period:day
from wgroup come the con period
from wgroup come the con.session
from wgroup come the con.session prep the conds
from wgroup con most
from wgroup me aux con most period
group comma count con period
me aux con count conds period
me aux con more period or period
me aux con more period that period
me aux con period
me aux con period:day
more con con period that period
more con period or period
more con period that period
more con period:day that period:day
nconds comma prep wgroup me aux con period
own a con.session conds
own a con.session prep a conds
own a con.session prep a conds to conds
own a con.session prep conds
own a con.session prep the conds
own a con.session to conds
own a con.session to conds prep conds
own count con
own count con comma and the con aux con
own from con
period comma exist from con con
period comma me aux con
period comma me aux con count
period comma which con aux come hours
period comma which con aux come nconds
period hours comma what
period:day comma what mine
period:day what mine
prep wgroup ask con most
prep wgroup aux con
prep wgroup aux con a con
prep wgroup aux con comma con.state
prep wgroup aux con period
prep wgroup aux con.session
prep wgroup aux most con
prep wgroup aux most con period
prep wgroup aux the con.session conds con.state
prep wgroup con most period
prep wgroup me aux con most period
prep wgroup me aux con period
prep wgroup the con.session aux con.state
prep wgroup the conds aux con
prep which con.session aux con.session
prep which conds aux con.session
recent comma period:day comma exist a con
show all con con come from conds
show all con period
show con and con
show con come conds
show con come from conds
show con come weekdays
show con con nconds
show con con period
show con con period:day
show con conds
show con conds period
show con hours
show con period
show con period nconds
show con period:day
show con prep conds period
show con to conds period
show con.session comma con.state
show the con
show the con and con from con period
show the con come from conds
show the con con come from conds
show the con con period
show the con con period:day
show the con conds
show the con conds period
show the con period
show the con period hours
show the con period nconds
show the con period:day
show the con period:day come from conds
show the con period:day conds
show the con period:day hours
show the con prep conds
show the con prep conds nconds
show the con prep conds period
show the con.session
show the con.session con.end
show the con.session con.end period
show the con.session con.state
show the con.session prep a conds
show the top con
show what period:day
show when a con aux con or con
the cols from con
the cols from the top con
the cols nconds
the con aux con
the con aux con and count con aux
the con aux con and count con.session aux con.state
the con aux con and own count con
the con aux con comma and count con aux
the con aux con comma and count con exist period:day
the con aux con count
the con aux con mine
the con aux con period
the con aux con when
the con aux con.state comma and count con aux
the con cols from when
the con con comma when
the con con nconds
the con con period hours
the con con prep conds
the con con when
the con conds
the con conds comma prep aux count
the con conds period
the con from conds period
the con group
the con group period
the con group period comma
the con hours
the con hours period
the con nconds
the con nconds comma period
the con nconds period
the con own con
the con period
the con period comma
the con period comma except the con
the con period comma nconds
the con period comma nconds comma
the con period group
the con period nconds
the con period:day
the con period:day comma except con
the con prep cols nconds period
the con prep conds
the con prep conds comma count
the con prep conds comma when
the con prep conds nconds
the con prep conds period
the con prep conds period:day
the con prep the conds
the con top conds
the con weekdays period
the con.session
the con.session comma nconds
the con.session con period
the con.session con.end period
the con.session con.end prep conds
the con.session con.end rel prep conds
the con.session con.state
the con.session conds
the con.session group
the con.session nconds
the con.session prep a conds
the con.session prep conds
the con.session prep conds comma con.state
the con.session to conds comma
the con.session to conds comma con.state
the con.session top comma aux which
the con.session top comma con.state
the con.session top con.state
the con.session top con.state comma aux which
the con.session top prep a conds
the con.session top prep a conds comma aux which
the conds aux con
the conds aux con weekdays
the group con
the group most prep the con period
the top con
the top con comma
the top con comma cols from when
the top con comma me the aux con when
the top con comma when
the top con con
the top con con comma
the top con con comma when
the top con con from con
the top con con period
the top con conds
the top con conds comma
the top con conds comma when
the top con mine
the top con nconds
the top con period
the top con period comma
the top con period comma when
the top con prep conds
the top con prep conds comma when
the top con prep conds when
the top con prep the conds
the top con prep the conds comma cols from when
the top con prep the conds comma when
the top con when
the top con.session
top con
top con con
top con con conds
top con con prep conds
top con conds
top con from con
top con period
top con prep conds
top con prep conds comma
top con prep the conds
wgroup ask con most
wgroup aux come period:day
wgroup aux con a con prep the conds
wgroup aux con con period
wgroup aux con most
wgroup aux con most con
wgroup aux con most con period
wgroup aux con most period
wgroup aux con period
wgroup aux con prep conds
wgroup aux con prep the conds
wgroup aux con the con period
wgroup aux from con period
wgroup aux most con
wgroup aux most con con
wgroup aux most con period
wgroup aux most prep the con
wgroup con con period
wgroup con most
wgroup con most con
wgroup exist from con con period
wgroup exist most con
wgroup exist most con con
wgroup exist most con period
wgroup exist period:day
wgroup from con aux con period
wgroup me aux con most to con period
wgroup me aux con period
wgroup most con
wgroup most prep the con
wgroup own most con
wgroup own most con con
wgroup period aux con
wgroup period exist from con
wgroup period exist most con
wgroup period:day
wgroup prep most con
wgroup the con aux con
what conds
what conds period
what mine period
what mine period:day
what mine period:day hours
what mine the period
what period
what period hours
what period mine
what period:day
what period:day comma except the con
what period:day hours
what period:day mine
what the period hours
when a con aux con
when a con aux con con
when a con aux con top
when a con con aux con
when a con prep con aux con end and con
when a con.session aux con
when ask a con aux con
when ask a con aux con top
when ask a con con aux come
when ask a con con comma and when a con aux con
when aux come a con con
when aux come the top con
when aux come the top con prep conds
when aux con
when aux con a con
when aux con a con and when aux con the con
when aux con a con and when me prep aux con a
when aux con a con and when the aux con
when aux con a con comma and when aux con the con
when aux con a con comma and when me the aux con
when aux con a con comma and when the aux con
when aux con a con con and when the aux con
when aux con a con prep the conds
when aux con a con to me
when aux con a con top
when aux con a con top comma and when prep aux con a
when aux con a con.session comma and which top con.session
when aux con and con a con
when aux con and con top
when aux con and when aux con top
when aux con comma and when aux con the con
when aux con conds
when aux con conds con top
when aux con from con
when aux con from con comma and when aux con the con
when aux con from con con
when aux con from con top
when aux con from con top comma and when aux con the con top
when aux con period
when aux con prep a con.session
when aux con prep the conds
when aux con the con
when aux con the con and when aux con the con
when aux con the con comma and when aux con the con
when aux con the con comma and when the con aux con
when aux con the con con
when aux con the con top
when aux con the top con
when aux con the top con and when aux con top
when aux con top
when aux con top comma and when con.session aux con.state
when aux con top prep conds
when aux con top the con prep con
when aux con.session
when comma the top con
when comma the top con conds
when comma the top con period
when con con.session
when con.end the con.session prep conds
when con.session aux con
when con.session aux con.state
when con.session con
when from con aux con
when me aux con and con top
when me aux con period
when me aux con top
when me aux con top conds
when me aux con top prep conds
when the con aux con
when the con aux con and when aux con from con
when the con aux con and when aux con the con
when the con aux con and when the con aux con
when the con aux con comma and exist a con period
when the con aux con comma and when the con
when the con aux con top
when the con con aux con period:day
when the con prep con aux con
when the con.session prep the conds aux con
when the top con
when the top con aux con
when the top con con
when the top con conds
when the top con prep con comma and from when the top con prep con
when the top con prep conds
when the top con prep the conds
when top aux con
when top me aux con prep conds
where aux con
where aux con.session
where come the top con
where con most
which con aux come hours comma hours comma period
which con aux come hours period
which con aux come period
which con aux come prep conds
which con aux come prep conds period
which con aux come the period
which con aux come the period hours
which con aux come weekdays
which con aux come weekdays period
which con aux con
which con aux con period
which con come from conds period
which con come from the conds
which con come hours
which con con period
which con con period:day
which con exist period
which con exist the period:pair
which con ne come nconds
which con period aux come hours
which con period comma except the con
which con period ne aux nconds
which con.session
which con.session aux
which con.session aux con period
which con.session aux con.end
which con.session aux con.end period
which con.session aux con.state
which con.session aux con.state con.state
which con.session aux con.state prep a conds
which con.session aux con.state prep conds
which con.session aux con.state to conds
which con.session con period:day
which con.session con.end come from conds
which con.session con.end period
which con.session con.end period:day
which con.session con.end the top
which con.session con.end top
which con.session con.end weekdays
which con.session con.state
which con.session period:day aux con.state
which con.session prep conds
which con.session to conds
which con.session top
which the con.session aux con period
which the top con
which the top con con
which the top con conds
which the top con period
which the top con to conds
which top con conds
which top con mine
which top con prep conds
which top con.session comma con.state
""",
    Language.ES: """
a con period
all con con conds
all con conds period
all con from con period
all con from conds
all con from the conds period
all con period
all con.session con.end que con period comma
anyone con con period
anyone con conds period
anyone con mine conds
anyone con prep conds period
aux con a con
aux con a con adj con
aux con a con con
aux con a con con period
aux con a con from con period
aux con a con mine
aux con a con period
aux con anyone conds period
aux con anyone mine conds
aux con anyone prep conds period
aux con con ever
aux con con mine
aux con con period
aux con ever a con
aux con ever a con con
aux con ever conds
aux con ever hours
aux con ever prep conds
aux con ever prep conds conds
aux con ever the con
aux con from con period
aux con most period than period
aux con period
aux con period conds
aux con period:day
aux con period:day conds
aux con prep a conds
aux con prep conds
aux con the con
aux con the con and count con own
aux con the con and count con.session own con.state
aux con the con and own con
aux con the con ever
aux con the con mine period
aux con the con period
aux con weekdays
aux con.end a con.session from conds
aux con.state a con.session prep conds
aux con.state the con.session from conds
aux prep con.session prep conds
come most con period than period
comma aux con the con
comma count aux con the con
comma count con con exist period
comma own the con con
comma show when con con
comma what mine period:day
comma when con con
comma when con the con
comma when con top conds
comma when con top prep conds
comma where own con.session
compare con con period period
compare con period period
con a con
con a con con
con a con from con period
con a con period
con a con period:day
con a con prep conds
con a con.session period:day
con anyone con period
con anyone prep conds period
con come conds period
con come from conds period
con come from the conds period
con come prep conds period
con comma when
con con
con con con period
con con conds
con con conds period
con con from con period:day
con con group
con con group period
con con hours
con con hours period
con con nconds
con con nconds period
con con or con period
con con period
con con period comma count
con con period group
con con period:day
con con period:day comma except the con from con
con con period:day hours
con con prep cols nconds
con con prep conds period
con conds
con conds period
con conds period comma count
con conds period:day
con ever a con
con ever hours period
con ever prep conds
con ever the con
con from con con
con from con conds
con from con group
con from con group comma nconds
con from con group period
con from con hours
con from con nconds
con from con period
con from con period nconds
con from conds period
con from the con con count
con group
con group comma
con group comma conds
con group period
con hours
con hours period
con hours weekdays
con mine period
con mine period:day
con most period or period
con most period que period
con most period than period
con nconds
con nconds period
con period
con period comma except the con con
con period comma the exist
con period conds
con period fill
con period group
con period group conds
con period hours
con period nconds
con period weekdays
con period:day
con period:day from the conds
con period:day group
con period:day hours
con period:day nconds
con period:day not con
con period:pair
con prep a conds period
con prep conds
con prep conds nconds
con prep conds nconds comma period
con prep conds period
con prep conds period comma
con prep conds prep conds period
con the con ever
con the con from a con
con the con period
con the con period end and aux con
con the con period:day
con the con period:pair
con weekdays
con weekdays period
con.end a con.session period:day
con.session
con.session aux from a conds
con.session con.end from conds
con.session con.end group
con.session con.end nconds
con.session con.end period
con.session con.end prep conds
con.session con.end que con period
con.session con.end que con prep conds
con.session conds
con.session from conds
con.session from conds con.end
con.session group
con.session group comma
con.session group conds
con.session nconds
con.session prep conds
con.session que con period
con.session que con.end period
con.state comma own a con.session
count aux con
count aux con conds
count aux con conds period
count aux con mine period
count aux con period
count aux con period:day
count aux con prep conds
count aux con prep conds conds
count aux con the con
count aux con weekdays
count come con a con
count con
count con a con
count con a con con
count con a con period
count con and con exist period
count con and con period
count con aux con
count con aux con and con
count con aux con fill
count con aux con period
count con come period
count con con and con
count con con and con exist period
count con con and con exist period:day
count con con and con fill
count con con and con period
count con con and from con period
count con con come from conds
count con con comma con and con exist period
count con con conds
count con con conds period
count con con exist conds
count con con exist group
count con con exist group period
count con con exist hours fill
count con con exist hours period
count con con exist period
count con con exist period:day
count con con exist period:latest comma and count period:day
count con con exist the period hours
count con con from con exist period
count con con from con exist period:day
count con con own
count con con period
count con con period:day
count con con prep conds
count con conds and count conds
count con conds con period
count con conds fill
count con conds period
count con exist conds
count con exist conds period
count con exist conds prep conds
count con exist group
count con exist group period
count con exist group period:day
count con exist hours period
count con exist period
count con exist period and count period
count con exist period conds
count con exist period group
count con exist period hours
count con exist period:day
count con exist period:latest
count con exist prep conds period
count con exist weekdays
count con from con and con from con exist fill
count con from con exist conds
count con from con exist group
count con from con exist period
count con from con exist period:day
count con from con group
count con from conds period
count con group
count con group comma
count con group period
count con nconds
count con nconds period
count con own
count con own and count con own
count con own and when con a top
count con own and when con the top
count con own con
count con own con.state
count con own fill
count con own fill conds
count con own from the conds
count con period
count con period nconds
count con prep conds
count con prep conds exist period
count con prep conds period
count con the con
count con the con and when aux the top con
count con the con conds
count con the con period
count con the con period:day
count con the con period:day conds
count con weekdays
count con.session aux con.end period
count con.session aux from conds
count con.session comma con.state comma con period
count con.session con.end
count con.session con.end group
count con.session con.end period
count con.session exist fill comma con.state
count con.session from conds con.end
count con.session own
count con.session own con.state
count con.session own con.state and when aux the top con
count con.session own conds
count con.session own fill
count con.session own group
count con.session own nconds
count con.session own prep conds
count con.session prep conds aux con.state
count con.session the aux con.end
count con.session the aux con.end period
count con.session the aux prep conds
count conds own con.session
end aux con the con ever
ever aux con conds
ever con a con
ever con conds
ever con prep conds
exist con con
exist con con con period:day
exist con con conds
exist con con conds period
exist con con from con period:day
exist con con from conds
exist con con from conds period
exist con con from the con period:day
exist con con hours period
exist con con period
exist con con period:day
exist con con period:day hours
exist con con period:latest
exist con con prep conds
exist con conds
exist con conds period
exist con from con hours comma hours comma period
exist con hours period
exist con period
exist con period:day
exist con period:day hours
exist con period:latest
exist con prep conds nconds
exist con weekdays period
exist most con con period que period
exist most con con period than period
exist most con con period:day or period:day
exist most con con period:day que period:day
exist most con from con period que period
exist most con from con period than period
exist most con from con prep conds period than period
exist most con period or period
exist most con period than period
exist most con period:day que period:day
exist period:day a con con
from wgroup come the con period
from when aux the top con
me aux con period:day hours
me aux con the con ever
me aux con the con period
me con ever a con con
most con con period:day que period:day
most con period than period
own a con
own a con and count con own
own a con con
own a con con.state
own a con.session prep a conds
own a con.session prep a conds prep conds
own a con.session prep conds
own a con.session prep conds con.state
own con
own con a con
own con and own a con
own con con
own con the con
own con.session con.state
own con.session conds
own con.session nconds
own con.session prep a conds
own con.session prep a conds and when con con.session
own con.session prep a conds con.state
own con.session prep conds
own con.session que con period
own con.state a con.session prep conds nconds
own the con con
period comma count con and con exist
period comma count con exist group
period:day count con the con
period:day hours comma what mine
prep wgroup aux con most
prep wgroup aux con most period
prep wgroup aux con period
prep wgroup come most con
prep wgroup con most
prep wgroup con most period
prep wgroup con period
prep wgroup con the con
prep wgroup exist con conds
prep wgroup exist most con
prep wgroup exist most con con
prep wgroup exist most con con from con
prep wgroup own a con.session
prep wgroup own con.session
prep wgroup own con.session nconds
prep wgroup period con
prep wgroup period exist most con con
prep which con.session aux con comma con.state
prep which con.state own con.session
recent comma period:day comma con conds
show all con con
show all con con conds
show all con conds period
show all con.session con.end
show all the con conds
show all the con period:day
show con come from the conds
show con con
show con conds period
show con mine period
show con period
show con period:day
show con period:day hours
show con prep conds
show con.session
show con.session con.end que aux from conds
show con.session con.state comma con.state
show the con con conds period
show the con con period
show the con con period:day
show the con con que come from conds
show the con conds
show the con conds period
show the con from con nconds
show the con hours
show the con period
show the con period comma nconds
show the con period:day
show the con period:day comma
show the con period:day comma except the con con
show the con period:day not con
show the con prep conds period
show the con weekdays
show the con.session con.end prep conds
show the con.session nconds
show the con.session prep conds
show the con.session que con.end period:day
show the con.session top
show the con.session top que aux con.state
show the top con
show what period:day
show what period:day hours
show what period:day mine
show when con
show when con or con con period
show when con the con
the con aux con
the con con conds
the con con period
the con conds
the con conds nconds
the con conds period
the con period
the con period conds
the con the con
the con top conds
the con weekdays
the con.session
the con.session comma con.state
the con.session con.state
the con.session group
the con.session nconds
the con.session prep conds
the con.session prep conds comma
the con.session que con.end period
the group con
the top con
the top con comma
the top con con
the top con con comma
the top con con conds
the top con con from con
the top con con from the con
the top con conds
the top con conds prep conds
the top con from con conds
the top con from conds
the top con mine
the top con period
the top con period comma
the top con prep a conds
the top con prep conds
top con
top con con
top con con nconds
top con conds
top con from conds
top con nconds
top con period
top con prep conds
top que con
weekdays period comma count con con exist
wgroup aux con
wgroup aux con most
wgroup aux con most period
wgroup aux con period
wgroup aux con.session
wgroup aux most con con
wgroup aux the most period
wgroup come a con con from the con
wgroup come most con con
wgroup come the con con period
wgroup con
wgroup con a con
wgroup con con
wgroup con con period
wgroup con most
wgroup con most con
wgroup con most con period
wgroup con most period
wgroup con most the con
wgroup con period
wgroup con the con
wgroup con the con period
wgroup exist con con
wgroup exist con con from con period
wgroup exist con con period
wgroup exist most con con
wgroup exist most con con from con
wgroup exist most con con period
wgroup exist most con from con
wgroup exist period:day
wgroup from con con period:day
wgroup most con con
wgroup most con con period
wgroup own most con
wgroup own most con con
wgroup period con most
wgroup period con prep con
wgroup period exist most con
wgroup prep most con
wgroup prep most con period
wgroup prep que most con
wgroup prep the con period
wgroup que most con
wgroup que most con con
wgroup que most con con exist
what conds
what conds period
what conds period:day
what mine hours period:day
what mine period
what mine period hours
what mine period:day
what mine period:day comma except the con con
what mine the period hours
what period
what period:day
what period:day comma except the con
what period:day except the con con
what period:day hours
what period:day mine
what period:day mine hours
what period:day prep conds
what prep conds period:day
when aux con the con
when aux con.state con.session
when aux the top con
when aux the top con and which con.session top
when aux the top con con
when aux the top con con conds
when aux the top con conds
when aux the top con prep conds
when aux top anyone con prep conds
when aux top con
when aux top con a con
when aux top con con and when top the con
when aux top con conds
when aux top con mine
when aux top con the con
when aux top que con
when come con the con
when con
when con a con
when con a con and wgroup con period
when con a con and when con
when con a con and when con a
when con a con and when con a con
when con a con and when con the top
when con a con and when the con
when con a con con
when con a con from a con
when con a con mine
when con a con mine top
when con a con prep conds
when con a con top
when con a con top and when con a top
when con a con.session
when con and when con
when con and when con the con
when con and when con top
when con con
when con con and when con a con
when con con and when con con
when con con and when con the con
when con con and when the con
when con con top
when con con.session
when con from con and when con the con
when con mine a con
when con most comma period or period
when con most comma period:day or period:day
when con period
when con period:day
when con prep conds
when con the con
when con the con and when con
when con the con and when con a
when con the con and when con a con
when con the con and when con the con
when con the con and when con the top
when con the con con
when con the con end and aux con
when con the con from con
when con the con mine
when con the con top
when con the con top and when the con
when con the con.session from conds
when con the con.session have con.state prep conds
when con the top con
when con the top con and when con a
when con the top con con
when con top
when con top a con
when con top a con and when con top a con
when con top and when aux the top con con
when con top and when con con.session
when con top con
when con top conds
when con top period
when con top prep conds
when con weekdays
when con.end the con.session prep conds
when me con top prep conds
where aux con most
where con most
where con top prep conds
where exist most con con
where own con.session
which con aux con period
which con aux weekdays
which con come period:day
which con con come period
which con con period nconds
which con con period:day
which con exist hours
which con exist period
which con exist period conds
which con exist period:day
which con exist period:day mine
which con exist period:latest
which con exist prep conds
which con from con period nconds
which con period hours
which con period nconds
which con period:day hours
which con period:day mine
which con.session
which con.session aux con.end
which con.session aux con.end period
which con.session aux con.state comma con.state
which con.session aux con.state con.state
which con.session aux prep a conds
which con.session aux the top
which con.session comma con.state comma come a conds
which con.session con period
which con.session con period comma con.state
which con.session con period:day
which con.session con top comma con.state
which con.session con.end period
which con.session con.end period:day
which con.session from conds aux con.end
which con.session from conds aux con.state
which con.session from conds con.end
which con.session nconds
which con.session own
which con.session own con.state
which con.session own con.state comma con.state
which con.session own con.state con.state
which con.session own con.state prep conds
which con.session prep conds aux con.state
which con.session the aux con.end
which con.session the con.end period
which con.session top
which con.session top comma con.state
which con.session top prep a conds
which con.session top prep conds que aux con.state
which top con
which top con and which the top
which top con con
which top con con and which the top con
which top con con from conds
which top con conds
which top con from the con
which top con period
which top con period and which the top
which top con prep conds
which top con prep conds period
""",
    Language.JA: """
comma con con aux
comma con count own
comma con top con cols show
comma con.session show
comma conds con con show
comma conds con.session
comma conds since_post con show
comma conds since_post con.session count own
comma mine con own
comma period con count show
comma top con when
comma top con when ask
comma wgroup con.session
comma where con.session aux
con adj con when
con and con apiece count
con and con comma apiece when ask
con and con period apiece count
con aux
con cols show
con con and con count
con con ask
con con ask end con aux
con con aux
con con aux con count
con con aux end and comma con con aux
con con aux end top con tense when
con con cols
con con cols show
con con come ask
con con con ask
con con con count
con con con when
con con count
con con count own
con con exist
con con fill
con con fill ever own
con con fill own
con con group most
con con period
con con period ask
con con show
con con tense when
con con the and con con apiece when
con con the and con con when
con con the aux
con con the when
con con wgroup since_post
con con when
con con when aux
con con when comma con con when
con con when comma con when
con con when end and comma con con when
con con when end and con come when
con con when end come con when
con con when end con when
con con when end top con when
con con.session when con
con count
con count ask
con count comma con the con count exist
con count comma top con when
con count con ask
con count con aux
con count con aux comma
con count group
con count group show
con count own
con ever con ask
con fill count
con fill count exist
con group
con group count
con group count fill
con group show
con group what
con group when
con group where
con group which
con most con group
con most con group what
con most wgroup aux
con own
con own count
con own count own
con period and period compare
con period and period compare aux
con period con ask
con period count aux
con period count exist
con period exist
con period than period the more
con period than period the more ask
con tense ask
con tense when
con the come cols
con the come con ask
con the come con count tense
con the con and con apiece count aux
con the con and con apiece count exist
con the con and con apiece count tense
con the con and con count apiece show
con the con con ask
con the con con con own
con the con con count
con the con con fill own
con the con con when
con the con most wgroup aux
con the con show
con the con tense
con the con tense when
con the own count
con the show
con top con cols
con top con cols show
con top con tense when
con top con the when
con top con when
con top con when comma top con tense when
con when
con when ask
con when comma con con when
con when comma top con when
con when end and top con
con.end con.session
con.end con.session among conds the
con.end con.session among conds the count
con.end con.session count
con.end con.session count own
con.end con.session show
con.end con.session the show
con.end con.session the show fill
con.end con.session which
con.end conds the con.session show
con.session
con.session among comma conds the which
con.session among comma nconds show
con.session among comma top
con.session among comma top which
con.session among nconds which
con.session among top
con.session among top which
con.session cols show
con.session con.session
con.session con.session among comma con.state show
con.session con.session show
con.session con.session the show
con.session count
con.session count own
con.session fill count
con.session group count
con.session group show
con.session show
con.session show since_post con.session con when
con.session the group count
con.session top
con.session when con
con.session when con ask
con.session which
con.state comma all con.session show
con.state comma con.session count own
con.state comma con.session own
con.state comma con.session show
con.state comma conds since_post con.session count
con.state comma conds the con.session own
con.state comma conds the con.session show
con.state comma period con con.session
con.state comma period con con.session own
con.state con own
con.state con.session
con.state con.session cols show
con.state con.session cols which
con.state con.session con.session count
con.state con.session con.session own
con.state con.session con.session show
con.state con.session count
con.state con.session count own
con.state con.session own
con.state con.session show
con.state con.session which
con.state count con.session
con.state top con.session
conds comma con.session own
conds con ask
conds con con count exist
conds con con show
conds con con top
conds con count
conds con count aux
conds con count own
conds con count show
conds con exist
conds con fill count
conds con fill count aux
conds con fill count exist
conds con group count
conds con period
conds con period count
conds con period count exist
conds con period count tense
conds con period the con
conds con show
conds con the come con tense
conds con when
conds con.end con.session show
conds con.session
conds con.session aux
conds con.session con.session count own
conds con.session con.session own
conds con.session con.session show
conds con.session count
conds con.session count own
conds con.session own
conds con.session show
conds con.session the con.session own
conds con.session which
conds con.state con.session own
conds con.state con.session which
conds count con ask
conds period con con
conds period the con
conds period the con count
conds since_post con
conds since_post con ask
conds since_post con comma period
conds since_post con con
conds since_post con con own
conds since_post con con.session comma con.state which
conds since_post con count
conds since_post con count aux
conds since_post con count comma conds since_post count
conds since_post con count exist
conds since_post con count own
conds since_post con count show
conds since_post con exist
conds since_post con fill
conds since_post con fill count
conds since_post con fill count aux
conds since_post con fill count exist
conds since_post con own
conds since_post con period count
conds since_post con period count exist
conds since_post con period count tense
conds since_post con period only show
conds since_post con period show
conds since_post con show
conds since_post con show fill
conds since_post con show show
conds since_post con the top
conds since_post con top only
conds since_post con top when
conds since_post con when
conds since_post con when and when
conds since_post con.session
conds since_post con.session comma con.state show
conds since_post con.session con.session own
conds since_post con.session count own
conds since_post count con
conds since_post period con ask
conds since_post period count con
conds since_post period the con count aux
conds since_post period the con show
conds since_post top con
conds since_post top con what
conds since_post top con when
conds the con.end con.session show
conds the con.session
conds the con.session con.end aux
conds the con.session con.end own
conds the con.session con.end which
conds the con.session con.state
conds the con.session count
conds the con.session count own
conds the con.session only show
conds the con.session own
conds the con.session show
conds the con.session when con ask
conds the con.session when con.end ask
conds the conds con.session
conds the top con show
conds top con
conds top con cols show
conds top con the when
conds top con when
end period con con ask
ever con con ask
ever con count ask
group comma con count show
group con
group con count
group con count period show
group con count show
group con show
group con.session count show
group period the con count
group the con count
hours con
hours con count
hours con count aux
hours con count own
hours con exist
hours con own
hours con period count
hours con period count tense
hours con period exist
hours con show
hours the con count
hours the con period show
hours the con show
most con con group
most con group what
most con group where
most con group which
most con wgroup
nconds cols period the con
nconds comma period con when
nconds con
nconds con comma period
nconds con count
nconds con count own
nconds con exist
nconds con own
nconds con period
nconds con period count exist
nconds con period show
nconds con show
nconds con top
nconds con.session
nconds con.session count aux
nconds con.session own
nconds con.session show
nconds period the con
nconds period the con show
own con count
own the con count aux
period adj con con ask
period and period aux and comma con count compare
period and period comma compare con more
period and period comma con compare
period and period comma con compare aux
period and period comma con more compare
period and period comma which con more ask
period and period con compare
period and period con compare aux
period and period con count compare
period and period the con count compare
period and period which con more
period and period which con more ask
period comma con
period comma con and con apiece count
period comma con and con apiece count tense
period comma con and con count
period comma con ask
period comma con con ask
period comma con con own
period comma con con when
period comma con count aux
period comma con exist
period comma con the con and con apiece count exist
period comma conds con count
period comma conds since_post con count
period comma conds since_post con count aux
period comma conds since_post con count exist
period comma conds since_post con exist
period comma group con count
period comma hours con
period comma hours tense con
period comma nconds cols con show
period comma nconds cols since_post con con show
period comma nconds con
period comma nconds con con
period comma nconds con con show
period comma nconds con count
period comma nconds con exist
period comma nconds con show
period con
period con among comma nconds show
period con among comma nconds which
period con and con apiece count
period con and con count
period con ask
period con comma nconds
period con con
period con con ask
period con con con own
period con con count
period con con own
period con con show
period con con tense
period con con when
period con con.session
period con con.session among top
period con con.session comma con.state
period con con.session count
period con count
period con count aux
period con count con ask
period con count own
period con count show
period con count tense
period con exist
period con fill show
period con group
period con group count
period con group count show
period con group where
period con most con group which
period con own
period con show
period con tense
period con the con and con apiece count
period con the con con ask
period con.end con.session
period con.end con.session count
period con.end con.session count aux
period con.end con.session own
period con.end con.session show
period con.end con.session which
period conds con
period conds con con show
period conds con count
period conds con own
period conds con the count
period conds since_post con
period conds since_post con ask
period conds since_post con con show
period conds since_post con count
period conds since_post con count ask
period conds since_post con exist
period conds since_post con fill own
period conds since_post con what
period conds since_post con when
period conds since_post count con ask
period conds tense con
period count con
period count con ask
period count con aux
period group con count
period hours con exist
period most con con group
period most con group where
period most con wgroup
period nconds con con
period nconds con con show
period nconds con count aux
period nconds con when
period period than con count more ask
period period than con more
period period than con more ask
period than period the con more
period the con
period the con among comma nconds show
period the con among nconds
period the con and con apiece count
period the con and con apiece count aux
period the con and con count
period the con and con count apiece
period the con and con count apiece show
period the con and con count show
period the con comma conds since_post count aux
period the con comma show
period the con count
period the con count ask
period the con count aux
period the con count comma period count
period the con count exist
period the con count group
period the con count group show
period the con count own
period the con count show
period the con fill count
period the con group
period the con group count
period the con group show
period the con most con group
period the con nconds
period the con nconds show
period the con period than more
period the con period than more ask
period the con show
period the con the show
period the con the show fill
period the con wgroup since_post ask
period the conds con
period the conds since_post con
period the conds since_post con show
period the group con
period the group con count
period the hours con
period the hours con count aux
period the hours con show
period the top con
period the top con show
period the top con when
period top con when
period weekdays con
period weekdays con ask
period weekdays count con
period weekdays the con
period weekdays the con among comma except con the con stop
period weekdays the con show
period wgroup con ask
period wgroup since_post con ask
period what
period:day come con the show show
period:day comma anyone con ask
period:day comma con ask
period:day comma con con own
period:day comma con count exist
period:day comma con exist
period:day comma mine what
period:day con
period:day con ask
period:day con con
period:day con con ask
period:day con con count
period:day con con own
period:day con con wgroup since_post aux
period:day con count
period:day con count con ask
period:day con count exist
period:day con count show
period:day con exist
period:day con fill
period:day con show
period:day con tense
period:day con the con tense
period:day con wgroup since_post ask
period:day con when
period:day con.end con.session
period:day con.end con.session own
period:day con.end con.session show
period:day con.end con.session which
period:day conds con ask
period:day conds since_post con
period:day count con
period:day except con stop what
period:day hours con
period:day hours con count exist
period:day hours con exist
period:day hours con show
period:day hours what
period:day mine what
period:day mine what show
period:day the comma except con stop con show
period:day the con
period:day the con count
period:day the con count ask
period:day the con count aux
period:day the con fill
period:day the con group
period:day the con group count
period:day the con group show
period:day the con own
period:day the con show
period:day the con what
period:day the conds since_post con show
period:day the hours comma mine what
period:day the hours comma which con exist
period:day the hours con ask
period:day the hours con count exist
period:day the hours con exist
period:day the hours con show
period:day the hours what
period:day wgroup since_post con ask
period:day wgroup the con exist
period:day what
period:day what con tense
period:day what show
period:latest the hours con exist
the con con aux
the con.session show
top con
top con cols
top con con tense when
top con con the when
top con con when
top con con when comma top con tense when
top con con when end comma con con when
top con con when end top con
top con con when the
top con fill
top con only show
top con show
top con tense when
top con the and con apiece when
top con the and con when
top con the when
top con what
top con when
top con when comma top con con when
top con when comma top con when
top con when end top con
top con.end con.session
top con.end con.session show
top con.end con.session which
top con.session
top con.session comma con.state
top con.session show
top con.session which
top con.state con.session
top conds con when
top conds con when comma top con when
top conds since_post con
top conds since_post con when
weekdays con ask
weekdays con count
weekdays the con
weekdays the con count
weekdays the con count aux
weekdays the con fill count
weekdays the con period and period compare
weekdays the con period fill count aux
weekdays the con show
wgroup con fill most aux
wgroup con.session
wgroup most con
wgroup most con ask
wgroup period con ask
wgroup since_post con most aux
wgroup the con most
wgroup the con most aux
where con.session
where con.session aux
""",
}

"""The words of Spanish."""

SLASH = "dm"

TABLE = """
fill: hágame el favor de (mostrarme|decirme|indicarme), haga el favor de (mostrarme|decirme|indicarme), hazme el favor de (mostrarme|decirme), que hice, que he hecho, que hubo, tendría [usted] la amabilidad de [decirme|mostrarme|indicarme], le agradecería [mucho] que [me] (mostrara|dijera|indicara), si no es molestia, sería tan amable de [decirme|mostrarme|indicarme], podría [usted] [decirme|mostrarme|indicarme], disculpe, perdone, perdona, oye, querría (saber|ver), las de, los de, el de, la de, las que, los que, aquellos, siguen, sigue, por favor, hola, gracias, ya, actualmente, en este momento, ahora, ahora mismo, también, entonces, todavía, aún, exactamente, puedes [decirme|mostrarme], podrías [decirme|mostrarme], puede [decirme|mostrarme], me puedes decir, me puedes mostrar, quiero (saber|ver), quisiera (saber|ver), me gustaría (saber|ver), dime, si, se, haya, hayan, siendo, sido, detalles de, buenas, buenos días, lo, y a, habido, dígame, díganme, oiga, ey, qué tal, buenas tardes, buenas noches, muchas gracias, porfa, porfis, (puedes|podrías|puede|podría|podríais|pueden|quieres|querría|me puedes|me podrías|me puede|me podría) [usted] [por favor] [decirme|mostrarme|indicarme|enseñarme|listarme|darme|decir|mostrar|indicar|enseñar|dar|confirmar|confirmarme], (quiero|quisiera|querría|me gustaría|desearía|deseo|necesito|necesitaría) [saber|ver|conocer|consultar|que me digas|que me diga|comprobar|tener], me pregunto, me preguntaba, quería (saber|ver|preguntar|consultar), tenga la (bondad|amabilidad) de [decirme|mostrarme|indicarme], (sería|serías) tan amable de [decirme|mostrarme|indicarme], (tendría|tendrías) la (amabilidad|bondad) de [decirme|mostrarme|indicarme], le (agradecería|agradeceré) [mucho] [que] [me] (dijera|mostrara|indicara|informara), si (es posible|puede ser|no es mucha molestia|es tan amable|me lo permite), en detalle, en concreto, concretamente, en particular, hoy en día, en la actualidad, por cierto, a ver, solo por saber, simplemente, vamos, pues, bueno, vale, realmente, de verdad, tal vez, quizás, acaso, diversos, diversas, varios, varias, propio, propia, propios, propias, aun, aquellas, de ellos, de ellas, todo el tiempo, el detalle de, los detalles de, se (registraron|registró|han registrado) [ya], quedaron (registrados|registradas), constan, consta, figuran, aparecen, haber, le, nos, os, así, efectivamente, actual, me (enseñas|muestras|dices|enseña|muestra|dice|das), no (me acuerdo|lo recuerdo|recuerdo) [bien], no estoy segur(o|a), me (llegó|ha llegado) un (correo|mensaje|email) [muy|bastante] (raro|extraño|sospechoso), (recibí|he recibido) un (correo|mensaje|email) [muy|bastante] (raro|extraño|sospechoso), una pregunta, una duda, pregunta rápida
fill elsewhere: allí, ahí
ever: alguna vez, en algún momento, en alguna ocasión, jamás, una sola vez, ya alguna vez
recent: el otro día, hace poco, recientemente, reciente, recientes, últimamente, en los últimos tiempos, de manera reciente
adj: nuevo, nueva, nuevos, nuevas
prep: en, a, con, por, para, mediante, usando, utilizando, al, a través de, sobre, durante el uso de, con el, con la, con mi, con un, con una, desde mi, por medio de, con ayuda de, a través del, en el, en la, en mi, al usar, vía, hacia, acerca de, respecto a, respecto de, referentes a, relativos a, bajo, ante
from: de, del, desde, desde el, desde la, desde mi, desde un, desde una, con origen en, procedentes de, procedente de, provenientes de, originados en, originadas en, de mis, de mi
to: a, al, hasta el
during: durante, dentro de, a lo largo de, en el transcurso de, durante el, durante la, dentro del, a lo largo (de|del), en el transcurso (de|del), en el curso (de|del), en el mes de
the clock: las
the: el, la, los, este, esta, estos, estas, esos, esas, ese, esa
the my: mi, mis, todas mis, todos mis, la totalidad de mis, el conjunto de mis, cada uno de mis, cada una de mis, nuestra, nuestro, míos, mías, mía, mío
a: uno, un, una, unos, unas, algún, alguna, algunos, algunas, ningún, ninguna
all: todo, toda, todos, todas, todos los, todas las, la totalidad de (los|las), absolutamente todos los, absolutamente todas las, el total de
me: yo, me
anyone: alguien, una persona, cualquiera, alguna persona
who: quién, quien, quiénes, qué persona
mine: (a|en|de|para|con|sobre) mi cuenta, a mi nombre, con mis credenciales, como yo, (a|en|de|para|con|sobre|dentro de) (mi|esta) (cuenta|perfil), con mis (credenciales|datos), con mi usuario
aux past: tuve, tuvo, he tenido, fue, fueron, ha sido, han sido, había, era, eran, se ha, se han, fui, (tuve|tuvimos), (fui|fue|fueron), (ha|han) sido [alguna vez|ya], había sido, habían sido, se (ha|han|había|habían) [ya|alguna vez], quedó, quedaron, resultó, resultaron, se me, se me ha, se me han, se la ha, se lo ha
aux stood: estuvo, estaba, estaban, estuve
aux have: ha, han, he, había, hemos, has, habré
aux did: xdid
aux be: sigo, sigo estando, está, están, estoy, es, son, soy, me encuentro, sigo [estando], siguen, sigue, (está|están|estoy) [ahora], se encuentra, se encuentran, continúa, continúan, permanece, permanecen, (estamos|estás)
own: queda, quedan, hay, existe, existen, tengo, poseo, tengo aún, dispongo de, cuento con, hay [actualmente|todavía|aún|ahora|algún|alguna], (me|) queda, (me|) quedan, tengo [todavía|aún|actualmente|ahora|ya], dispongo (de|aún de|todavía de), cuento (con|aún con), tiene mi cuenta, mi cuenta tiene, hay en mi cuenta, dispone mi cuenta de, me restan, restan, ya tengo
exist: hubo, ha habido, había, han habido, hubo [algún|alguna|ya], ha habido [algún|alguna|ya], hubieron, habido, se (produjo|produjeron|dio|dieron) [algún|alguna], he tenido, tuve [algún|alguna], existió, existieron, llegó a haber
come: se registraron, se registró, vino, vinieron, viene, vienen, venían, proviene, provienen, provinieron, procede, proceden, procedentes, procedente, ocurridos, provenientes, realizados, realizado, registrados, registradas, hechos, se hicieron, se produjeron, se produjo, producidos, fueron registrados~, registrados~, registradas~, registrado~, registrada~, venía, provino, procedían, procedió, procedieron, ocurridas, ocurrida, realizadas, realizada, realizó, realizaron, se (hizo|hicieron|produjo|produjeron|realizó|realizaron|efectuó|efectuaron|llevaron a cabo|dio|dieron|introdujo), hechas, hecho, hecha, hizo, hicieron, hice, producidas, producido, efectuados, efectuadas, tuvo lugar, tuvieron lugar, tenido lugar, corresponden [a], corresponde [a], introducido, introducida, introdujo, introduje, llegaron, llegó, llegan, corre, corren, funciona, funcionan, originaron, originó, puse, ocurrieron
it: ellos, ellas, eso, fue eso
show: una lista de, el listado de, lista de, la lista de, muestra, muéstrame, muéstreme, mostrar, enseña, enséñame, lista, listar, lístame, dame, ver, enumera, visualiza, quiero ver, haz una lista de, muestre, muéstranos, enséñeme, lísteme, liste, dame [una lista de|la lista de|el listado de], deme, deme [una lista de], un listado de, listado de, enumere, enumérame, enuméreme, saca [una lista de], imprime, un resumen de, resume, presenta, preséntame, presente, indica, indícame, indíqueme, indique, agrupa, agrupe, desglosa, desglose, detalla, detálleme, detállame, facilítame, facilíteme, revisa, cada vez que, todas las veces que, qué hay de
when: cuándo!, a qué hora, en qué fecha, qué fecha, qué hora, en qué momento, cuál fue la fecha de, cuál es la fecha de, desde cuándo!, cuándo exactamente, hace cuánto [tiempo] [que], cuánto hace que
where: dónde!, desde dónde, de dónde, en dónde, donde!, donde, por dónde, en qué sitio, desde qué sitio, desde qué lugar, en qué lugar
which: cuál, cuáles, cuáles de mis, cuál de mis, cuáles son los, cuáles son las, cuáles son mis, cuál fue mi, cuál es mi, cuál fue el, cuál fue la, cuáles fueron mis, cuáles fueron los, cuáles fueron las, cuál es el, cuál es la, cuáles (de|de mis|de los|de las|son|fueron|han sido), cuál (de|de mis|de los|de las|ha sido|era), cuál (es|fue) (el|la|mi), cuáles (son|fueron) (los|las|mis)
what event: qué pasó, qué ha pasado, qué ocurrió, qué ha ocurrido, qué sucedió, qué ha sucedido, qué hubo, qué hice, qué he hecho, que (paso|pasó|ocurrió), lo que (pasó|ha pasado|ocurrió|hice|sucedió), qué (pasó|ha pasado|ocurrió|ha ocurrido|sucedió|ha sucedido|hubo|ha habido|aconteció|hice|he hecho|se hizo|se ha hecho|se ha registrado)
what: xwhat
count: cuántas veces, cuántos, cuántas, cuánto, cuánta, el número de, número de, el número total de, cuenta los, cuenta las, cuenta mis, cantidad de, la cantidad de, cuál es el número de, en cuántos, en cuántas, con qué frecuencia, desde cuántos, desde cuántas, cuántas veces [en total], (el|un|) (número|total|recuento) [total] (de|de los|de las), (la|) cantidad [total] (de|de los|de las), cuenta (los|las|mis|cuántos|cuántas), cuál (es|fue) el (número|total) [total] (de|de los|de las), (en|desde|con|a) (cuántos|cuántas), con (qué|cuánta) frecuencia, cada cuánto, cuántos (de|de mis|de los), cuántas (de|de mis|de las), en cuántas ocasiones, cuéntame (los|las)
compare: compara, comparar, comparado con, en comparación con, frente a, versus, compara los, compara mis, compara [los|las|mis|el número de], comparar [los|las|mis], compare [los|las|mis], comparado (con|a), comparados con, en comparación (con|a), frente (a|al|a los|a las), vs, comparación (de|entre), respecto (a|al|de), en relación con
more: más, menos, más [veces|a menudo], menos [veces|a menudo], más cantidad de, mayor número de, menor número de, tantos, tantas
que: que, q
and: y, e, así como, y también, junto con, además de, y luego
or: o, u, o bien, ni, o si no
but: pero, sino
not: no, que no, que no sean, distintos de, distintas de, no desde, que no son, que no sea, que no (sean|son|sea|fueran|vengan|provengan|procedan|fueron|vinieron|procedieron|estén) [de|desde|en], distintos (de|a), distintas (de|a), diferentes (de|a), distinta de, no (vinieron|procedieron|provinieron|proceden|fueron|son|se hicieron) [de|desde|con], tampoco
except: excepto, salvo, menos desde, excepto desde, a excepción de, con excepción de, fuera de, excluyendo, aparte de, que no sean de, a excepción (de|del), con (excepción|la excepción) (de|del), sin contar, fuera del, exceptuando, aparte (de|del), que no sean (de|del), quitando, dejando (fuera|aparte), omitiendo, a parte de
only: solo, solamente, únicamente, sólo, exclusivamente, nada más que, tan solo
per: por, según, por cada, para cada, agrupado por, agrupados por, agrupadas por, en cada, de cada, desde cada, con cada, agrupad(o|a|os|as) por, clasificad(o|a|os|as) por, desglosad(o|a|os|as) por, repartid(o|a|os|as) por, distribuid(o|a|os|as) por, en función (de|del), separad(o|a|os|as) por, dividid(o|a|os|as) por
each: cada
most most: más, más a menudo, con más frecuencia, con mayor frecuencia, más usado, más utilizado, más usados, más utilizados, más frecuente, más frecuentes, más habitual, más comunes, más común, normalmente, habitualmente, más veces, más utilizada, más usada, más [veces|a menudo|frecuentemente|habitualmente], con (más|mayor) frecuencia, el (mayor|más alto) número de, la mayor (cantidad|parte) de [mis|los|las], la mayoría de [mis|los|las], más (usad|utilizad|emplead|activ)(o|a|os|as), más (frecuente|frecuentes|habitual|habituales|común|comunes), mayormente, principalmente, generalmente, sobre todo, mayoritariamente, favorito, favorita, preferido, el que más, la que más, las que más, los que más, el mayor número de, máximo número de, tiene más, tienen más, acumula más, concentra más
most least: menos, menos usado, menos frecuente, menos utilizado, con menos frecuencia, menos veces, menos a menudo, menos [veces|a menudo|frecuentemente], menos (usad|utilizad|emplead)(o|a|os|as), menos (frecuente|frecuentes|habitual|habituales|común), con (menos|menor) frecuencia, el menor número de, la menor cantidad de, el que menos, la que menos, menor número de
last newest: último, última, últimos, últimas, más reciente, más recientes, ultimísimo, (por última vez|la última vez que|la última vez|última vez)~, últim(o|a|os|as), más nuevo, más nueva, (por última vez|la última vez que|la última vez|última vez|la última ocasión [en] que|en último lugar|más recientemente|por ultima vez)~
last oldest: primer, primero, primera, primeros, primeras, más antiguo, más antigua, más antiguos, más antiguas, más viejo, más vieja, (por primera vez|la primera vez que|la primera vez)~, primer(o|a|os|as), más antigu(o|a|os|as), más viej(o|a|os|as), más tempran(o|a), (por primera vez|la primera vez que|la primera vez|primera vez|la primera ocasión [en] que|en primer lugar|originalmente)~
group day: diario, diarios, diaria, diarias, a diario, día a día
group week: semanal, semanales
group month: mensual, mensuales
prop device: dispositivo, dispositivos+, equipo, equipos+, aparato, aparatos+, máquina, máquinas+
prop browser: navegador, navegadores+, navegador web
prop os: sistema operativo, sistemas operativos+, sistema, sistemas+
prop form: (tipo|clase) de dispositivo, tipos de dispositivo+, tipos de dispositivos+
prop place: lugar, lugares+, sitio, sitios+, ubicación, ubicaciones+, ciudad, ciudades+, localización, localizaciones+
prop ip: ip, ips+, dirección ip, direcciones ip+, dirección, direcciones+
prop type: tipo, tipos+, clase, clases+, tipo de evento, tipos de evento+, tipos de eventos+, clases de eventos+, tipo de actividad, tipos de actividad+
prop hour: hora del día, horas del día+, franja horaria, momento del día
prop weekday: día de la semana, días de la semana+
prop time: fecha, fechas+, fecha y hora
unit minutes: minuto, minutos+
unit hours: hora, horas+
unit days: día, días+
unit weeks: semana, semanas+
unit months: mes, meses+
unit years: año, años+
h_unit hours: h, hs, hrs
ago: hace
past: pasado, pasada, pasados, pasadas, anterior, anteriores, pasad(o|a|os|as), previo, previa, previos
since: desde (principios|comienzos|inicios) de, desde el (inicio|principio|comienzo) de, desde, desde el, desde la, desde las, a partir de, a partir del, desde hace, desde los, desde (principios|comienzos|inicios) de, desde (el|la) [inicio|principio|comienzo] de, desde el día, desde el pasado, a partir (de|del), a contar desde
before: antes de, antes del, anteriores a, anteriores al, previos a, anterior(|es) (a|al|a la), previos (a|al), previo a, antes de la, antes que
before clock: antes de las
after: después de, después del, posteriores a, posteriores al, tras, tras el, después de la, posterior(|es) (a|al), luego de, con posterioridad a
after clock: después de las, pasadas las, a partir de las
until: hasta, hasta el, hasta la, hasta las, hasta finales de
between: entre, entre el, entre la, entre los, comprendidos entre
num 2: dos
num 3: tres
num 4: cuatro
num 5: cinco
num 6: seis
num 7: siete
num 8: ocho
num 9: nueve
num 10: diez
num 11: once
num 12: doce
num 15: quince
num 20: veinte
num 30: treinta
clock 12.0: mediodía
clock 0.0: medianoche
day today: hoy, de hoy
day yesterday: ayer, de ayer
day day_before_yesterday: anteayer, antes de ayer, antier
day this_week: esta semana, la semana actual, la presente semana
day last_week: la semana pasada, semana pasada, la semana anterior
day this_month: este mes, el mes actual, el presente mes
day last_month: el mes pasado, mes pasado, el mes anterior, del mes pasado
day this_year: este año, el año actual
day last_year: el año pasado, año pasado, el año anterior, del año pasado
day this_weekend: este fin de semana, el fin de semana~
day last_weekend: el fin de semana pasado, el pasado fin de semana, el último fin de semana, fin de semana pasado, del fin de semana pasado
moment today morning: esta mañana, hoy por la mañana, [en] esta mañana, hoy (por|en|a) la mañana
moment today afternoon: esta tarde, hoy por la tarde, [en] esta tarde, hoy (por|en|a) la tarde
moment today evening: hoy por la noche
moment yesterday night: anoche, ayer por la noche, la noche pasada, ayer en la noche, la pasada noche, [en] la (pasada noche|noche pasada|noche de ayer|última noche), ayer (noche|de noche|a la noche)
moment yesterday morning: ayer por la mañana, ayer en la mañana, ayer (por|en|a) la mañana, ayer de mañana
moment yesterday afternoon: ayer por la tarde, ayer en la tarde, ayer (por|en|a) la tarde, ayer de tarde
span 1 hours: la última hora, última hora, [en|durante|de] la última hora
span 1 weeks: en la última semana, durante la última semana, (en|durante|de) la última semana
span 1 months: en el último mes, durante el último mes, (en|durante|de) el último mes, del último mes
span 1 years: en el último año, durante el último año, (en|durante|de) el último año, del último año
span 14 days: la última quincena, los últimos quince días, [en] (la última quincena|los últimos quince días|las últimas dos semanas|las dos últimas semanas), última quincena
day 1 days ago: hace un día
day 1 weeks ago: hace una semana
day 1 months ago: hace un mes
day 1 years ago: hace un año
since_day this_month: desde (el inicio|el principio|el comienzo|principios|comienzos) (del|de este|de) mes
since_day this_week: desde (el inicio|el principio|el comienzo|principios|comienzos) de (la|esta) semana
since_day this_year: desde (el inicio|el principio|el comienzo|principios|comienzos) (del|de este|de) año
wprop hour: a qué hora del día, en qué hora del día, a qué horas, [a|en] qué (hora|horas) del día, en qué franja horaria, [a|en] qué momento del día, a qué hora (suelo|solía)
bad: el último día, la última semana, el último mes, el último año, hace poco, hace tiempo
month january: enero, ene
month february: febrero, feb
month march: marzo
month april: abril
month may: mayo
month june: junio
month july: julio
month august: agosto
month september: septiembre, setiembre, sept
month october: octubre, oct
month november: noviembre, nov
month december: diciembre, dic
weekday monday: lunes, este lunes
weekday tuesday: martes, este martes
weekday wednesday: miércoles, este miércoles
weekday thursday: jueves, este jueves
weekday friday: viernes, este viernes
weekday saturday: sábado, este sábado
weekday sunday: domingo, este domingo
weekdays monday: los lunes
weekdays tuesday: los martes
weekdays wednesday: los miércoles
weekdays thursday: los jueves
weekdays friday: los viernes
weekdays saturday: los sábados, sábados
weekdays sunday: los domingos, domingos
weekdays weekend: en fin de semana, en fines de semana, los fines de semana, fines de semana
weekdays workday: entre semana, los días laborables, días laborables, los días de semana
part morning: mañana, por la mañana, en la mañana
part afternoon: tarde, por la tarde, en la tarde
part evening: xtarde
part night: noche, por la noche, en la noche
parts morning: por las mañanas, de madrugada por la mañana
parts afternoon: por las tardes
parts night: por las noches, de noche
ampm am: de la mañana, de la madrugada
ampm pm: de la tarde
ampm night: de la noche
systems Windows: (pc|ordenador|computadora|equipo|dispositivo|dispositivos|portátil) [con] windows, (pc|ordenador|computadora|equipo|dispositivo|dispositivos|portátil|máquina) [con] windows
systems macOS: (ordenador|computadora|equipo) mac, (ordenador|computadora|equipo|portátil) (mac|apple), macbook (pro|air), macs
systems Linux: (pc|ordenador|computadora|equipo|dispositivo) [con] linux, (pc|ordenador|computadora|equipo|dispositivo|portátil|máquina) [con] linux
systems Android: (dispositivo|dispositivos) android, (dispositivo|dispositivos|aparato) [con] android
forms android_phone: (teléfono|móvil|celular|teléfonos|móviles) android
forms android_tablet: (tableta|tablet) android
forms phone: teléfono, teléfonos, móvil, móviles, celular, celulares, smartphone, smartphones, teléfono móvil, teléfonos móviles
forms tablet: tableta, tabletas, tablet, tablets
forms desktop: equipo de escritorio, equipos de escritorio, ordenador, ordenadores, computadora, computadoras, computador, pc, portátil, escritorio, ordenador de escritorio, ordenador portátil
forms iphone: iphone, iphones
forms ipad: ipad, ipads
con session: sesión, sesiones+, sesión iniciada, sesión abierta, la sesión iniciada, la sesión abierta, sesiones iniciadas+, [la] sesión (iniciada|abierta), sesiones (iniciadas|abiertas)+
con session live: sesión (activa|en curso|actualmente abierta), sesiones (activas|abiertas|en curso|vigentes)+, sesión (activa|en curso|vigente|viva|actualmente abierta|aún abierta|todavía abierta), sesiones (activas|abiertas|en curso|vigentes|vivas|aún abiertas|todavía abiertas|actualmente abiertas|actuales)+
con session over: sesión (anterior|antigua|pasada|vieja|previa|inactiva), sesiones (anteriores|antiguas|pasadas|viejas|previas|inactivas)+, (antigua|antiguas|viejas|pasadas) (sesión|sesiones+)
con session this_one: esta sesión, sesión actual, esta misma sesión, la sesión (actual|que estoy usando|en la que estoy|presente), sesión (actual|presente|en uso), (esta|esta misma|la presente) sesión [actual], mi sesión actual
con session other: otra sesión, otras sesiones [activas|abiertas]+, (otra|otras|mis otras|las otras|las demás|el resto de) [mis|las|] (sesión|sesiones+) [activas|abiertas|activa|abierta|iniciadas|en curso], sesiones (distintas|aparte) (de|a) esta+
con any: también las [ya] (terminadas|cerradas|antiguas|caducadas), incluidas las [ya] (terminadas|cerradas|antiguas), incluyendo las [ya] (terminadas|cerradas), (activas|abiertas) y (terminadas|cerradas), [incluidas|incluyendo|también|incluso|además de|y también|contando|con] (las|aquellas|las que) [que] [ya|están|estén|hayan] [ya] (terminadas|cerradas|antiguas|caducadas|finalizadas|expiradas|terminado|cerrado|finalizado|expirado), incluidas (terminadas|cerradas|caducadas|finalizadas), (activas|abiertas) (y|o|como) (terminadas|cerradas|finalizadas|caducadas), (terminadas|cerradas|finalizadas) (incluidas|también), estén (abiertas|activas) o (cerradas|terminadas|no), abiertas o no
con live: activa, activas, abierta, abiertas, activ(a|as|o|os), abiert(a|as|o|os), en curso, vigente, vigentes, en vigor, válida, válidas, viva, vivas, en marcha
con other: (excepto|salvo|menos|aparte de|además de) (esta|la actual|esta sesión), otros dispositivos, otro dispositivo, otro lugar, otros lugares, otro sitio, otra parte, mis otros dispositivos, (excepto|salvo|menos|aparte de|además de|sin contar|exceptuando|fuera de|quitando) (esta|la actual|esta sesión|la presente|aquí|la mía|este|este dispositivo|mi sesión actual|la sesión actual|en esta|en este), (otros dispositivos|otro dispositivo|otro lugar|otros lugares|otro sitio|otra parte|otros sitios), (mis otros|los otros|los demás) dispositivos, [en] algún otro (sitio|lugar|dispositivo), en otra parte, (aparte de|además de|menos|salvo) (este|en este) (dispositivo|ordenador|equipo|móvil)
con start: comenzado~, comenzó~, comenzaron~, empezó~, empezaron~, iniciadas, iniciada, comienzo, abrí~, (comenzado|comenzó|comenzaron|empezó|empezaron|empezado|arrancó|arrancaron|abrió|abrieron|se inició|se iniciaron|se abrió|se abrieron|comienza|empieza|comenzada|empezada)~
con login: para (iniciar sesión|acceder|entrar|conectarme|iniciar la sesión), inicio de sesión, inicios de sesión+, (inicié|iniciado|inició|iniciaron|inicie) [la] sesión~, acceso, accesos+, accedí~, accedido~, accedió~, accedieron~, ingresé=, ingresado~, ingresó~, ingreso, ingresos+, entrado~, entró~, login, logins+, (conecté|conectado|conectada|conectó|conectaron)~, inicio sesión, conexión, conexiones+, logueado~, logueé=, autenticación, me conecto, accedo, entrada, entradas+, logueo, (para|al|de) (iniciar sesión|acceder|entrar|conectarme|iniciar la sesión|loguearme|ingresar), (acceder|entrar|conectarme|ingresar|loguearme)=, inicio de [la] sesión, inicios+, (accedí|accedido|accedió|accedieron|ingresado|ingresó|entrado|entró|entraron|entré|conecté|conectado|conectada|conectó|conectaron|logueado|loguearon|logueada|autenticado|autentiqué|identificado|identifiqué|logeado|logueó)~, (ingresé|logueé|logeé)=, autenticaciones+, me (conecto|logueo|autentico), entro, logueos+, (inicié|iniciado|inició|iniciaron|iniciaba) [la|una] sesión~, iniciando [la] sesión, iniciar [la] sesión=
con success: exitoso, exitosos, exitosa, exitosas, con éxito, correcto, correctos, satisfactorio, satisfactorios, correctamente, exitos(o|a|os|as), correct(o|a|os|as), satisfactori(o|a|os|as), satisfactoriamente, logrado, logrados, completado con éxito
con fail: fallido, fallidos, fallida, fallidas, falló~, fallaron~, fallado~, fallo, fallos+, incorrecto, incorrectos, incorrecta, incorrectas, erróneo, erróneos, errónea, erróneas, inválido, inválidos, sin éxito, fracasado, fracasados, fracasó~, equivocada, equivocadas, equivocado, equivocados, mal, fallid(o|a|os|as), fallé~, fallan, falla, fallas+, incorrect(o|a|os|as), incorrectamente, erróne(o|a|os|as), inválid(o|a|os|as), fracasad(o|a|os|as), fracasaron~, equivocad(a|o|as|os), mal introducido, error, errores+, falsos, falso, frustrad(o|os), infructuos(o|os), equivoqué~, no válido, no válidos, no exitoso, no exitosos, malograd(o|os)
con reject: rechazado, rechazados, rechazada, rechazadas, denegado, denegados, rechazó~, rechazad(o|a|os|as), denegad(o|a|os|as), (rechazó|rechazaron|denegó|denegaron|no aceptó|no se aceptó)~, rechazo, rechazos+, no aceptad(o|a|os|as)
con attempt: intento, intentos+, (intentó|intentaron|intentado|intenté)~, tentativa, tentativas+
con login attempt: intento de (inicio de sesión|acceso|inicio|conexión|iniciar sesión|login|ingreso), intentos de (inicio de sesión|acceso|inicio|conexión|iniciar sesión|login|ingreso)+, (intento|intentos+|tentativa|tentativas+) de (inicio de sesión|acceso|inicio|conexión|iniciar sesión|login|ingreso|entrada|acceder|entrar|autenticación|inicios de sesión)
con stop: detenido, detenidos, detuvo~, detuvieron~, parado, parados, parad(o|os), interrumpid(o|os), bloquead(o|os) en, detenid(o|a|os|as), (se detuvo|se detuvieron|detuvo|detuvieron)~
con logout: cierre de sesión, cierres de sesión+, (cerré|cerrado|cerró|cerraron) [la] sesión~, (desconecté|desconectado|desconectó)~, desconexión, desconexiones+, salí~, logout=, logouts+, cierres+, (cerré|cerrado|cerró|cerraron) [la|mi] sesión~, (desconecté|desconectado|desconectó|desconectaron|deslogueé|deslogueado|salido)~, salida, salidas+, cierro sesión
con everywhere: en todas partes, en todos [los|mis] dispositivos, de todos [los|mis] dispositivos, en todos lados, en todas las sesiones, de todas las sesiones, (en|de) todos [los|mis] dispositivos, en todos (lados|sitios), (en|de) todas [las|mis] sesiones, globalmente, en todos los dispositivos a la vez, por completo
con token: token, tokens+, (token|tokens+) de (acceso|actualización|sesión|refresco), testigo, ficha
con rotate: renovado~, renovó~, renovaron~, rotación, rotaciones+, renovación, renovaciones+, rotado~, rotados~, renovados~, (renovado|renovó|renovaron|rotado|rotados|renovados|rotó|rotaron|actualizado el token|refrescado|renové)~
con reuse: reutilizado~, reutilizó~, reutilización, reutilizaciones+, reutilizados~, reutilizaron~, (reutilizado|reutilizó|reutilizados|reutilizaron|usado dos veces|utilizado dos veces|usó dos veces|utilizó dos veces|reusado)~, doble uso
con revoke: revocado~, revocada~, revocadas~, revocados~, revoqué=, revocó~, revocaron~, revocación, revocaciones+, (revocado|revocada|revocadas|revocados|revocó|revocaron|anulado|anulada|anuló|invalidada|retirada)~
con end: terminó~, terminaron~, finalizó~, finalizaron~, terminado~, finalizado~, cerraron~, cerró~, (terminó|terminaron|finalizó|finalizaron|terminado|finalizado|cerraron|cerró|caducó|caducaron|expiró|expiraron|acabó|acabaron|concluyó|concluyeron|terminada|terminadas|cerrada|cerradas|finalizada|finalizadas|caducada|caducadas|expirada|expiradas|acabado|cerrado|caducado|expirado)~
con reauth: reautenticación, reautenticaciones+, reautenticado~, reautentiqué=, reautenticó~, (reautenticación|verificación de identidad|confirmación de identidad), (reautenticado|reautenticó|reautentiqué)~, (confirmado|verificado|demostrado) [de nuevo|otra vez|nuevamente] mi identidad [de nuevo|otra vez|nuevamente]~, (confirmé|verifiqué|demostré|acredité) [de nuevo|otra vez|nuevamente] mi identidad [de nuevo|otra vez|nuevamente]=, (volví|vuelto) a (confirmar|verificar|demostrar|acreditar) mi identidad~, (volví|vuelto) a autenticarme~
con account: cuenta, perfil
con lock: bloqueado~, bloqueada~, bloqueó~, bloqueo, bloqueos+, bloquearon~, (bloqueado|bloqueada|bloqueó|bloquearon)~
con account lock: bloqueo de [la|mi] cuenta, bloqueos de [la|mi] cuenta+
con unlock: desbloqueado~, desbloqueada~, desbloqueó~, desbloqueo, desbloqueos+, desbloquearon~, desbloqueé=, (desbloqueado|desbloqueada|desbloqueó|desbloquearon)~, levantó el bloqueo~, (levantado|levantaron|quitó|quitaron) el bloqueo~
con account unlock: desbloqueo de [la|mi] cuenta, desbloqueos de [la|mi] cuenta+
con enable: activado~, activada~, activé=, activó~, activación, activaciones+, habilitado~, habilitada~, habilité=, habilitó~, activaron~, encendí~, activaste~, (activado|activada|activó|activaron|habilitado|habilitada|habilitó|encendí|encendido|encendida|puesto en marcha)~, (activé|habilité)=, habilitación
con disable: desactivado~, desactivada~, desactivé=, desactivó~, desactivación, desactivaciones+, deshabilitado~, deshabilitada~, deshabilité=, deshabilitó~, desactivaron~, apagué=, suspendida~, (desactivado|desactivada|desactivó|desactivaron|deshabilitado|deshabilitada|deshabilitó|suspendida|suspendido|apagado|apagada|suspendió)~, (desactivé|deshabilité|apagué)=, suspensión, deshabilitación
con reactivate: reactivado~, reactivada~, reactivó~, reactivación, reactivaciones+, (reactivado|reactivada|reactivó|vuelto a activar|volvió a activar)~
con create: creado~, creada~, creadas~, creados~, creé=, creó~, crearon~, añadido~, añadida~, añadidas~, añadí~, añadió~, añadieron~, agregado~, agregada~, agregadas~, agregué=, agregó~, agregaron~, registrado~, registrada~, registradas~, registré=, registró~, generado~, generados~, generé=, generó~, generaron~, configurado~, configuré=, creación, creaciones+, registro, registros+, generación, (creado|creada|creadas|creados|creó|crearon|añadido|añadida|añadió|añadieron|agregado|agregada|agregó|agregué el|registró|generado|generados|generadas|generó|generaron|configurado|configurada|configuró|emitido|dado de alta|dio de alta|incorporado|añadí|emitió|sacado)~, (creé|agregué|registré|generé|configuré)=, alta, altas+, incorporación, añadidos
con account create: alta, di de alta~, (me registré|me di de alta)~, (abrí|creó|abrió) (mi|la) cuenta~, creé (mi|la) cuenta=, creación de (mi|la) cuenta, registro de mi cuenta, apertura de (mi|la) cuenta
con remove: eliminado~, eliminada~, eliminadas~, eliminados~, eliminé=, eliminó~, eliminaron~, borrado~, borrada~, borré=, borró~, quité=, quitado~, quitó~, eliminación, eliminaciones+, borraron~, quitaron~, (eliminado|eliminada|eliminadas|eliminó|eliminaron|quitado|quitada|quitó|quitaron|borrado|borrada|borró|borraron|suprimido|retirado|dado de baja)~, (eliminé|quité|borré)=, borrado, borrados+, baja, bajas+, supresión
con takeover: tomado el control de~, tomó el control de~, (tomado|recuperado) el control
con account takeover: toma de control, (toma|tomas+) de control [de (mi|la) cuenta], tomó el control de (mi|la) cuenta~
con import: importado~, importada~, importó~, importación, importaciones+, (importado|importada|importó|importaron|migrado|migrada|migró)~, migración
con export: exportado~, exportados~, exporté=, exportó~, exportaron~, exportación, exportaciones+, descargado~, descargué=, (exportado|exportada|exportó|exportaron|exportados|descargado|descargó|descargados)~, (exporté|descargué)=, descarga, descargas+
con data: datos, datos personales, [todos] mis datos
con password: contraseña, contraseñas+, clave, claves+, contra, pass
con change: cambiado~, cambiada~, cambié=, cambió~, cambiaron~, cambio, cambios+, modificado~, modificada~, modifiqué=, modificó~, actualizado~, actualizada~, actualicé=, actualizó~, modificación, modificaciones+, actualización, actualizaciones+, (cambiado|cambiada|cambió|cambiaron|modificado|modificada|modificó|actualizado|actualizada|actualizó|sustituido|cambiados)~, (cambié|modifiqué|actualicé)=
con reset: restablecido~, restablecí~, restableció~, restablecimiento, restablecimientos+, restablecer, (restablecido|restablecida|restableció|reseteado|reiniciado|reseteó)~, (restablecí|reseteé)=, reinicio, reseteo
con request: solicitado~, solicitada~, solicitadas~, solicitados~, solicité=, solicitó~, solicitaron~, solicitud, solicitudes+, pedido~, pedí~, pidió~, pidieron~, petición, peticiones+, (solicitado|solicitada|solicitó|solicitaron|pedido|pedida|pidió|pidieron|requerido|enviado|enviaron)~, (solicité|pedí)=, requerimiento
con undo: deshecho~, deshizo~, deshice~, revertido~, revirtió~, revertí~, anulado~, (deshecho|deshizo|revertido|revertida|revirtió|anuló el cambio)~, (deshice|revertí)=, reversión, deshacer=
con breach: filtrada, filtradas, comprometida, comprometidas, vulnerada, (filtrad|comprometid|vulnerad|expuest)(a|as|o|os), por (estar|haber sido|haberse|aparecer) [en] [una] (filtrada|comprometida|filtrado|filtración|filtración de datos|brecha de datos|fuga de datos), (en|de|por) una (filtración|brecha|fuga) [de datos|conocida], porque (estaba|aparecía|había aparecido|salía|figuraba|era conocida) [en|por|de] [una] (filtrada|filtración|filtración de datos|brecha|brecha de datos|fuga|fuga de datos|comprometida), conocida por filtraciones
con email: [dirección de] (correo|correo electrónico|email|e mail|mail), correos+, (correos electrónicos|emails)+, correo [electrónico], [dirección de] correo [electrónico], email, e mail, mail, correos [electrónicos]+, dirección de (email|e mail), correo e
con verify: verificado~, verificada~, confirmado~, confirmada~, validado~, validada~, (verificad|confirmad|comprobad|validad|acreditad)(o|a|os|as)~, (verificó|confirmó|validó)~
con twofactor: (autenticación|verificación) [de|en] (dos|2) (pasos|factores), (autenticación|verificación) de doble factor, doble factor, doble autenticación, autenticación multifactor, (verificación|autenticación|autentificación|doble verificación|verificacion|autenticacion) (en|de|con|por) (dos|2|doble) (pasos|factores|factor|etapas), doble (factor|autenticación|verificación) [de autenticación], (autenticación|verificación) (multifactor|de dos pasos|en 2 pasos), 2 factores, dos factores
con factor: segundo factor, segundos factores+, (segundo|2º|otro segundo) factor [de autenticación], segundo paso
con totp: (aplicación|app) [de] (autenticación|autenticadora), autenticador, authenticator, (aplicación|app) (de autenticación|autenticadora|authenticator|de códigos|de verificación), (aplicaciones|apps) (de autenticación|autenticadoras)+, autenticadores+
con code: código, códigos+
con passkey: (llave|clave) de (acceso|paso), (llaves|claves) de (acceso|paso)+, (llave|llaves+|clave|claves+) de (acceso|paso|seguridad), llave de acceso, passkeys+, passkey
con recovery_code: código de (recuperación|respaldo), códigos de (recuperación|respaldo)+, (código|códigos+) de (recuperación|respaldo|seguridad|reserva|rescate|emergencia|recuperacion)
con recovery: recuperación [de] [la|mi] [cuenta], recuperaciones [de cuenta]+, recuperación [de [la|mi] cuenta], proceso de recuperación
con recovery_done: recuperado~, recuperada~, recuperé=, (recuperada|recuperado|recuperó)~, recuperé=
con cancel: cancelado~, cancelada~, cancelé=, canceló~, cancelación, cancelaciones+, (cancelado|cancelada|canceló|cancelaron|interrumpida|abortada|abandonada|interrumpió)~
con complete: completado~, completada~, completó~, finalizada~, (completado|completada|completó|completaron|concluida|culminó)~, completé=, finalización
con magic_link: enlace mágico, enlaces mágicos+, enlace de (acceso|inicio de sesión), enlaces de (acceso|inicio de sesión)+, (enlace|enlaces+) (mágico|mágicos|de acceso|de inicio de sesión|para iniciar sesión|para entrar|de inicio), link mágico, magic links+
con oauth: cuenta (social|externa|de terceros|oauth), cuentas (sociales|externas|de terceros|oauth)+, (proveedor|proveedores+) (de identidad|externo|externos|de inicio de sesión|de acceso|oauth|de login|de identidad externo), (cuenta|cuentas+|identidad|login) (social|sociales|externa|externas|externo|oauth|de terceros|vinculada), cuenta de (google|github|apple), proveedor
con link: vinculado~, vinculada~, vinculadas~, vinculé=, vinculó~, enlazado~, vinculación, conectada~, (vinculado|vinculada|vinculó|vincularon|enlazado|conectada a|asociado|asociada|asoció|enlazó)~, vinculaciones+, enlace, asociación
con unlink: desvinculado~, desvinculada~, desvinculé=, desvinculó~, desvinculación, (desvinculado|desvinculada|desvinculó|desvincularon|desenlazado|desligado|desasociado)~
con application: (aplicación|aplicaciones+), (aplicación|aplicaciones+) (conectada|conectadas|externa|externas)
con api_key: (clave|llave) [de] [la] api, (claves|llaves) [de] [la] api+, api key, api keys+, (clave|claves+|llave|llaves+) [de] [la] api
con anomaly: anomalía, anomalías+, actividad (sospechosa|inusual), (actividades|accesos|inicios de sesión) (sospechosas|sospechosos)+, (actividad|inicio de sesión|acceso|evento|conexión|cosa|comportamiento) (sospechos|inusual|extrañ|rar|anómal|anormal)(a|o|), (actividades|inicios de sesión|accesos|eventos|conexiones|alertas|cosas|avisos) (sospechos|inusual|extrañ|rar|anómal|anormal)(as|os|es)+, algo (sospechoso|raro|inusual|extraño|anómalo), nada (raro|sospechoso), alerta de (seguridad|inicio de sesión sospechoso|inicio sospechoso), alertas de (seguridad|inicio de sesión sospechoso)+, aviso de seguridad, avisos de seguridad+, marcado como sospechoso, marcados como sospechosos, considerado sospechoso, (marcad|señalad|considerad|detectad)(o|os|as|a) como (sospechos|anómal|inusual)(o|os|as|a|es)
con stuffing: relleno de credenciales, credential stuffing, (relleno|stuffing) de credenciales, (ataque|ataques+) de (relleno de credenciales|credential stuffing)
con detect: detectado~, detectada~, detectadas~, detectó~, detectaron~, (detectado|detectada|detectó|detectaron|detectadas|detectados|encontrado|encontró|observado|hallado|notado|identificado como)~, detección, detecciones+
con use: usado~, usada~, usadas~, usé=, usó~, usaron~, uso, utilizado~, utilizada~, utilicé=, utilizó~, utilizaron~, utilizo, he usado, usados~, utilizados~, (usado|usada|usó|usaron|utilizado|utilizada|utilizó|utilizaron|empleado|usados|usadas|utilizados|canjeado|gastado|utilizadas)~, (usé|utilicé|empleé)=, empleo, uso yo, suelo usar, suelo utilizar, usando yo
con event: todo lo que, todo lo, evento, eventos+, actividad, actividades+, historial, registro de actividad, algo, cosa, cosas+, suceso, sucesos+, registro de eventos, historial [de actividad|de mi cuenta], registro de (actividad|eventos|seguridad), (actividad|eventos) de (la|mi) cuenta, acción, acciones+, movimiento, movimientos+, incidente, incidentes+, eventos de seguridad+, operación, operaciones+
con happen: ha pasado~, (pasó|ocurrió|ocurrido|sucedió|sucedido|pasaron|ocurrieron|sucedieron|acontecido)~, pasa, ocurre
among: entre mis, de entre, de todas mis, de todos mis
have: que tengo [aún|todavía|ahora], que poseo
rel: que (fueron|son|vinieron|vienen|estaban|están|proceden|provienen)
when day: en qué fecha, en qué fechas, qué fecha, cuál (fue|es) la fecha (de|del), la fecha (de|del)
when hour: a qué hora, a qué horas, qué hora, sobre qué hora
con event happen: todo lo que (pasó|ha pasado|ocurrió|hice|sucedió)
than: que en, que el, que la, que durante, como en
apiece: cada uno, cada una, respectivamente, por separado, de cada uno, de cada una, de cada tipo, para cada uno
group*: day diario, day diariamente, week semanalmente, month mensualmente, hour hora a hora
prop*: device (aparato|aparatos+|dispositivos+|terminal|terminales+|equipo|equipos+), browser navegadores web+, browser navegador de internet, browser buscador, os plataforma, os plataformas+, os sistemas operativos+, os so, form (tipo|clase|categoría|forma) de (dispositivo|aparato|equipo|terminal), form (tipos|clases|categorías|formas) de (dispositivo|dispositivos|aparatos|equipos)+, place (localidad|localidades+|zona|zonas+|lugares+|sitios+|punto|puntos+), country (región|país), country (regiones|países)+, place ciudad o país, place país o ciudad, ip dirección (ip|de ip|de red), ip direcciones (ip|ips|de red)+, ip ips+, type (categoría|categorías+|clase|clases+), type tipo (de evento|de actividad|de suceso), type tipos de (evento|eventos|actividad|sucesos)+, hour franja horaria, hour (hora|horas+) del día, hour franjas horarias+, hour tramo horario, weekday (día|días+) de la semana, time (fecha|fechas+|instante), time fecha y hora, time fechas y horas+, time día y hora
wprop weekday: qué día de la semana, qué días de la semana
unit*: minutes (minuto|minutos+), hours (hora|horas+), days (día|días+|dia|dias+|jornada), weeks (semana|semanas+), months (mes|meses+), years (año|años+)
num*: 1 uno solo, 2 dos, 2 un par de, 3 tres, 13 trece, 14 catorce, 16 dieciséis, 17 diecisiete, 18 dieciocho, 19 diecinueve, 24 veinticuatro, 25 veinticinco, 40 cuarenta, 48 cuarenta y ocho, 50 cincuenta, 60 sesenta, 90 noventa, 100 cien
day*: today (hoy|hoy mismo|el día de hoy), yesterday (ayer|el día de ayer|ayer mismo), day_before_yesterday (anteayer|antes de ayer|antier|antesdeayer|anteyer), this_week [en|de] (esta|la presente|la actual) semana, last_week [en|de] [la] semana (pasada|anterior|previa), last_week la pasada semana, this_month [en|de] (este|el presente|el actual) mes, last_month [en|de] [el] mes (pasado|anterior), last_month el pasado mes, last_month del mes anterior, this_year [en|de] (este|el presente|el actual) año, last_year [en|de] [el] año (pasado|anterior), last_year el pasado año, last_weekend (el|del|en el|este) (finde|fin de semana) (pasado|anterior), last_weekend (finde|fin de semana) pasado, last_weekend el (pasado|último) finde, this_weekend este (finde|fin de semana), this_weekend (el|en el) (finde|fin de semana)~
day 2 days ago: hace dos días
day 2 weeks ago: hace dos semanas, la penúltima semana
day 2 months ago: hace dos meses, el penúltimo mes
weekdays*: monday (los lunes|cada lunes|un lunes), tuesday (los martes|cada martes|un martes), wednesday (los miércoles|cada miércoles|un miércoles), thursday (los jueves|cada jueves|un jueves), friday (los viernes|cada viernes|un viernes), saturday (los sábados|cada sábado|un sábado), sunday (los domingos|cada domingo|un domingo), monday en lunes, tuesday en martes, wednesday en miércoles, thursday en jueves, friday en viernes, saturday en sábado, sunday en domingo, weekend (los fines de semana|los findes|en fin de semana|en fines de semana|cada fin de semana|findes), workday (entre semana|días laborables|los días laborables|los días hábiles|días de diario|en días laborables|días de semana)
parts*: night (por las noches|de noche|en horario nocturno), night (por la noche|durante la noche|a la noche|en plena noche)~, morning por las mañanas, morning (por la mañana|a la mañana)~, afternoon por las tardes, afternoon (por la tarde|de tarde|a la tarde)~
ampm*: am de la (mañana|madrugada), am a m, pm de la (tarde|noche), pm del mediodía, 24 en punto
forms*: phone (teléfono|teléfonos|móvil|móviles|celular|celulares|smartphone|smartphones|cel|telefono), phone (teléfono|teléfonos) (móvil|móviles|inteligente|celular), phone dispositivo[s] móvil[es], phone teléfonos inteligentes, tablet (tableta|tabletas|tablet|tablets), desktop (ordenador|ordenadores|computadora|computadoras|computador|pc|pcs|portátil|portátiles|laptop|escritorio|sobremesa|compu|notebook), desktop (ordenador|ordenadores|computadora|computadoras|equipo|equipos|pc) (de escritorio|de sobremesa|de mesa|portátil|portátiles), android_phone (teléfono|teléfonos|móvil|móviles|celular|smartphone) [con] android, android_tablet (tableta|tablet|tabletas) [con] android, iphone (iphone|iphones), ipad (ipad|ipads)
con unused: sin usar, sin utilizar, no usados, sin gastar
con login success: (inicio|inicios+) de sesión (correcto|correctos|exitoso|exitosos|con éxito|satisfactorio|satisfactorios|válido|válidos|logrados), (acceso|accesos+|login|logins+|conexión|conexiones+) (correcto|correctos|exitoso|exitosos|exitosa|exitosas|con éxito|satisfactorios), logré (iniciar sesión|entrar|acceder)~
con login fail: (fallo|fallos+|error|errores+) (de|al|en el|en los) (inicio de sesión|inicios de sesión|acceso|accesos|iniciar sesión|login|autenticación|entrar|acceder|conexión), (no pude|no pudo) (iniciar sesión|entrar|acceder)~, (intento|intentos+) fallid(o|os) [de (inicio de sesión|acceso|login|iniciar sesión|entrar|entrada|conexión|inicio)], contraseña (incorrecta|equivocada|errónea), puse mal (la|mi) contraseña, me equivoqué (de|con la|al poner la) contraseña, (intentado|intentó) adivinar mi contraseña
con stop factor: (detenid|interrumpid|parad|bloquead)(o|os) en el segundo (factor|paso), se (detuvo|detuvieron|quedó|quedaron) en el segundo (factor|paso)
con session revoke: (cerré|terminé|cerrado|finalicé|revoqué) una sesión (desde|de|en) (la|mi) lista [de [mis]] [sesiones]
con disable & enable: (desactivó|desactivado|desactivada) y [se] [volvió a] (activó|activar|activado|activada)~
con enable & disable: (activó|activado|activada) y [se] (desactivó|desactivado|desactivada)~
con data export: (exportación|exportaciones+|descarga|descargas+) de [mis|los] datos
con password change: (cambio|cambios+|modificación|modificaciones+) de [la|mi] contraseña[s]
con email change: (cambio|cambios+|modificación) de [la|mi] [dirección de] (correo|email|e mail) [electrónico]
con password reset: (restablecimiento|restablecimientos+|reinicio) de [la|mi] contraseña[s], restablecer (la|mi) contraseña, olvidado la contraseña
con hash: almacenamiento de [la|mi] contraseña, hash de [la|mi] contraseña
con upgrade: (reforzado|reforzó|mejorado|mejoró)~, refuerzo, mejora
con totp code: (código|códigos+) (de|del|de la|de mi) (aplicación|app|autenticador|authenticator|autenticación|verificación|un solo uso|2fa) [de autenticación|autenticadora], código[s] totp
fill until: hasta (ahora|la fecha|el momento|este momento|hoy), al día de hoy, a día de hoy, por ahora
fill total: en total, en conjunto, siempre
count often: cuántas veces, cuántas veces en total, con qué frecuencia, en cuántas ocasiones, cada cuánto
weekdays*: monday (algún|cualquier) lunes, tuesday (algún|cualquier) martes, wednesday (algún|cualquier) miércoles, thursday (algún|cualquier) jueves, friday (algún|cualquier) viernes, saturday (algún|cualquier) sábado, sunday (algún|cualquier) domingo, weekend (algún|cualquier|un) fin de semana
con session: dispositivos conectados+
con email change request: (pedí|solicité) cambiar (el|mi) (correo|email) [electrónico]
"""

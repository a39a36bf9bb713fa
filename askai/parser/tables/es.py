"""The words of Spanish."""

SLASH = "dm"

TABLE = """
fill: hágame el favor de (mostrarme|decirme|indicarme), haga el favor de (mostrarme|decirme|indicarme), hazme el favor de (mostrarme|decirme), que hice, que he hecho, que hubo, tendría [usted] la amabilidad de [decirme|mostrarme|indicarme], le agradecería [mucho] que [me] (mostrara|dijera|indicara), si no es molestia, sería tan amable de [decirme|mostrarme|indicarme], podría [usted] [decirme|mostrarme|indicarme], disculpe, perdone, perdona, oye, querría (saber|ver), las de, los de, el de, la de, las que, los que, aquellos, siguen, sigue, por favor, hola, gracias, ya, actualmente, en este momento, ahora, ahora mismo, también, entonces, todavía, aún, exactamente, en total,
  distintos, distintas, diferentes, puedes [decirme|mostrarme], podrías [decirme|mostrarme], puede [decirme|mostrarme], me puedes decir, me puedes mostrar, quiero (saber|ver), quisiera (saber|ver), me gustaría (saber|ver), dime, si, hasta ahora,
  se, ahí, allí, haya, hayan, siendo, sido, detalles de, buenas, buenos días, lo, al día de hoy, jamás, y a, habido
ever: alguna vez, en algún momento
recent: el otro día, hace poco, recientemente, reciente, recientes, últimamente
adj: nuevo, nueva, nuevos, nuevas
prep: en, a, con, por, para, mediante, usando, utilizando, al, a través de, sobre, durante el uso de
from: de, del, desde, desde el, desde la, desde mi, desde un, desde una
to: a, al, hasta el
during: durante, dentro de, a lo largo de, en el transcurso de
the clock: las
the: el, la, los, este, esta, estos, estas, esos, esas, ese, esa
the my: mi, mis, todas mis, todos mis
a: uno, un, una, unos, unas, algún, alguna, algunos, algunas, ningún, ninguna
all: todo, toda, todos, todas, todos los, todas las
me: yo, me
anyone: alguien, una persona, cualquiera
who: quién, quien, quiénes
mine: (a|en|de|para|con|sobre) mi cuenta, a mi nombre, con mis credenciales, como yo
aux past: tuve, tuvo, he tenido, fue, fueron, ha sido, han sido, había, era, eran, se ha, se han, fui
aux was: estuvo, estaba, estaban, estuve
aux have: ha, han, he, había, hemos
aux did: xdid
aux be: sigo, sigo estando, está, están, estoy, es, son, soy, me encuentro
own: queda, quedan, hay, existe, existen, tengo, poseo, tengo aún, dispongo de, cuento con
exist: hubo, ha habido, había, han habido
come: se registraron, se registró, vino, vinieron, viene, vienen, venían, proviene, provienen, provinieron, procede, proceden, procedentes, procedente, ocurrió, ocurrieron, ocurridos, provenientes, realizados, realizado, registrados, registradas, hechos, se hicieron, se produjeron, se produjo, producidos
it: ellos, ellas
show: una lista de, el listado de, lista de, la lista de, muestra, muéstrame, muéstreme, mostrar, enseña, enséñame, lista, listar, lístame, dame, ver, enumera, visualiza, quiero ver, haz una lista de, muestre
when: cuándo!, a qué hora, en qué fecha, qué fecha, qué hora, en qué momento, cuál fue la fecha de, cuál es la fecha de
where: dónde!, desde dónde, de dónde, en dónde, donde!
which: cuál, cuáles, cuáles de mis, cuál de mis, cuáles son los, cuáles son las, cuáles son mis, cuál fue mi, cuál es mi, cuál fue el, cuál fue la, cuáles fueron mis, cuáles fueron los, cuáles fueron las, cuál es el, cuál es la
what event: qué pasó, qué ha pasado, qué ocurrió, qué ha ocurrido, qué sucedió, qué ha sucedido, qué hubo
what: xwhat
count: cuántas veces, cuántos, cuántas, cuánto, cuánta, el número de, número de, el número total de, cuenta los, cuenta las, cuenta mis, cantidad de, la cantidad de, cuál es el número de, en cuántos, en cuántas, con qué frecuencia, desde cuántos, desde cuántas
compare: compara, comparar, comparado con, en comparación con, frente a, versus, compara los, compara mis
more: más, menos
que: que, q
and: y, e, así como
or: o, u
but: pero, sino
not: no, que no, que no sean, distintos de, distintas de, no desde, que no son, que no sea
except: excepto, salvo, menos desde, excepto desde, a excepción de, con excepción de, sin, fuera de, excluyendo, aparte de, que no sean de
only: solo, solamente, únicamente, sólo
per: por, según, por cada, para cada, agrupado por, agrupados por, agrupadas por
each: cada
most most: más, más a menudo, con más frecuencia, con mayor frecuencia, más usado, más utilizado, más usados, más utilizados, más frecuente, más frecuentes, más habitual, más comunes, más común, normalmente, habitualmente, más veces, más utilizada, más usada
most least: menos, menos usado, menos frecuente, menos utilizado, con menos frecuencia, menos veces, menos a menudo
last newest: último, última, últimos, últimas, más reciente, más recientes, ultimísimo, (por última vez|la última vez que|la última vez|última vez)~
last oldest: primer, primero, primera, primeros, primeras, más antiguo, más antigua, más antiguos, más antiguas, más viejo, más vieja, (por primera vez|la primera vez que|la primera vez)~
group day: diario, diarios, diaria, diarias, a diario, día a día
group week: semanal, semanales
group month: mensual, mensuales
prop device: dispositivo, dispositivos+, equipo, equipos+, aparato, aparatos+, máquina, máquinas+
prop browser: navegador, navegadores+, navegador web
prop os: sistema operativo, sistemas operativos+, sistema, sistemas+
prop form: tipo de dispositivo, tipos de dispositivo+, tipos de dispositivos+
prop place: lugar, lugares+, sitio, sitios+, ubicación, ubicaciones+, ciudad, ciudades+, país, países+, localización, localizaciones+
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
h_unit hours: h
ago: hace
past: pasado, pasada, pasados, pasadas, anterior, anteriores
since: desde (principios|comienzos|inicios) de, desde el (inicio|principio|comienzo) de, desde, desde el, desde la, desde las, a partir de, a partir del, desde hace, desde los
before: antes de, antes del, anteriores a, anteriores al, previos a
before clock: antes de las
after: después de, después del, posteriores a, posteriores al, tras, tras el
after clock: después de las, pasadas las, a partir de las
until: hasta, hasta el, hasta la, hasta las
between: entre
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
named today: hoy, de hoy
named yesterday: ayer, de ayer
named day_before_yesterday: anteayer, antes de ayer, antier
named this_week: esta semana, la semana actual, la presente semana
named last_week: la semana pasada, semana pasada, la semana anterior
named this_month: este mes, el mes actual, el presente mes
named last_month: el mes pasado, mes pasado, el mes anterior, del mes pasado
named this_year: este año, el año actual
named last_year: el año pasado, año pasado, el año anterior, del año pasado
named this_weekend: este fin de semana, el fin de semana
named last_weekend: el fin de semana pasado, el pasado fin de semana, el último fin de semana, fin de semana pasado, del fin de semana pasado
named today.morning: esta mañana, hoy por la mañana
named today.afternoon: esta tarde, hoy por la tarde
named today.evening: esta noche, hoy por la noche
named yesterday.night: anoche, ayer por la noche, la noche pasada, ayer en la noche, la pasada noche
named yesterday.morning: ayer por la mañana, ayer en la mañana
named yesterday.afternoon: ayer por la tarde, ayer en la tarde
named last.1.hours: la última hora, última hora
named last.1.weeks: en la última semana, durante la última semana
named last.1.months: en el último mes, durante el último mes
named last.1.years: en el último año, durante el último año
named last.14.days: la última quincena, los últimos quince días
named ago.1.days: hace un día
named ago.1.weeks: hace una semana
named ago.1.months: hace un mes
named ago.1.years: hace un año
named since.this_month: desde (el inicio|el principio|el comienzo|principios|comienzos) (del|de este|de) mes
named since.this_week: desde (el inicio|el principio|el comienzo|principios|comienzos) de (la|esta) semana
named since.this_year: desde (el inicio|el principio|el comienzo|principios|comienzos) (del|de este|de) año
what event: qué hice, qué he hecho
wprop hour: a qué hora del día, en qué hora del día, a qué horas
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
parts morning: por la mañana, por las mañanas, de madrugada por la mañana
parts afternoon: por la tarde, por las tardes
parts night: por la noche, por las noches, de noche, durante la noche
ampm am: de la mañana, de la madrugada
ampm pm: de la tarde, de la noche
systems Windows: (pc|ordenador|computadora|equipo|dispositivo|dispositivos|portátil) [con] windows
systems macOS: (ordenador|computadora|equipo) mac
systems Linux: (pc|ordenador|computadora|equipo|dispositivo) [con] linux
systems Android: (dispositivo|dispositivos) android
forms android_phone: (teléfono|móvil|celular|teléfonos|móviles) android
forms android_tablet: (tableta|tablet) android
forms phone: teléfono, teléfonos, móvil, móviles, celular, celulares, smartphone, smartphones, teléfono móvil, dispositivo móvil, dispositivos móviles, teléfonos móviles
forms tablet: tableta, tabletas, tablet, tablets
forms desktop: equipo de escritorio, equipos de escritorio, ordenador, ordenadores, computadora, computadoras, computador, pc, portátil, escritorio, ordenador de escritorio, ordenador portátil
forms iphone: iphone, iphones
forms ipad: ipad, ipads
con session: sesión, sesiones+, sesión iniciada, sesión abierta, la sesión iniciada, la sesión abierta, sesiones iniciadas+
con session live: sesión (activa|en curso|actualmente abierta), sesiones (activas|abiertas|en curso|vigentes)+
con session over: sesión (terminada|cerrada|finalizada|caducada|expirada|anterior|antigua), sesiones (terminadas|cerradas|finalizadas|caducadas|expiradas|anteriores|antiguas|pasadas)+
con session this_one: esta sesión, sesión actual, esta misma sesión
con session other: otra sesión, otras sesiones [activas|abiertas]+
con any: también las [ya] (terminadas|cerradas|antiguas|caducadas), incluidas las [ya] (terminadas|cerradas|antiguas), incluyendo las [ya] (terminadas|cerradas), (activas|abiertas) y (terminadas|cerradas)
con live: activa, activas, abierta, abiertas
con other: (excepto|salvo|menos|aparte de|además de) (esta|la actual|esta sesión), otros dispositivos, otro dispositivo, otro lugar, otros lugares, otro sitio, otra parte, mis otros dispositivos
con start: comenzado~, comenzó~, comenzaron~, empezó~, empezaron~, iniciadas
con login: para (iniciar sesión|acceder|entrar|conectarme|iniciar la sesión), inicio de sesión, inicios de sesión+, (inicié|iniciado|inició|iniciaron|inicie) [la] sesión~, acceso, accesos+, accedí~, accedido~, accedió~, accedieron~, ingresé=, ingresado~, ingresó~, ingreso, ingresos+, entrado~, entró~, login, logins+,
  (conecté|conectado|conectada|conectó|conectaron)~, inicio sesión, conexión, conexiones+, logueado~, logueé=, autenticación, me conecto, accedo, entrada, entradas+, logueo
con success: exitoso, exitosos, exitosa, exitosas, con éxito, correcto, correctos, satisfactorio, satisfactorios, correctamente
con fail: fallido, fallidos, fallida, fallidas, falló~, fallaron~, fallado~, fallo, fallos+, incorrecto, incorrectos, incorrecta, incorrectas, erróneo, erróneos, errónea, erróneas, inválido, inválidos, sin éxito, fracasado, fracasados, fracasó~, equivocada, equivocadas, equivocado, equivocados, mal
con reject: rechazado, rechazados, rechazada, rechazadas, denegado, denegados, rechazó~
con attempt: intento, intentos+
con login attempt: intento de (inicio de sesión|acceso|inicio|conexión|iniciar sesión|login|ingreso), intentos de (inicio de sesión|acceso|inicio|conexión|iniciar sesión|login|ingreso)+
con stop: detenido, detenidos, detuvo~, detuvieron~, parado, parados
con logout: cierre de sesión, cierres de sesión+, (cerré|cerrado|cerró|cerraron) [la] sesión~, (desconecté|desconectado|desconectó)~, desconexión, desconexiones+, salí~, logout=, logouts+
con everywhere: en todas partes, en todos [los|mis] dispositivos, de todos [los|mis] dispositivos, en todos lados, en todas las sesiones, de todas las sesiones
con token: token, tokens+
con rotate: renovado~, renovó~, renovaron~, rotación, rotaciones+, renovación, renovaciones+, rotado~, rotados~, renovados~
con reuse: reutilizado~, reutilizó~, reutilización, reutilizaciones+, reutilizados~, reutilizaron~
con revoke: revocado~, revocada~, revocadas~, revocados~, revoqué=, revocó~, revocaron~, revocación, revocaciones+
con end: terminó~, terminaron~, finalizó~, finalizaron~, terminado~, finalizado~, cerraron~, cerró~
con reauth: reautenticación, reautenticaciones+, reautenticado~, reautentiqué=, reautenticó~
con account: cuenta
con lock: bloqueado~, bloqueada~, bloqueó~, bloqueo, bloqueos+, bloquearon~
con account lock: bloqueo de [la|mi] cuenta, bloqueos de [la|mi] cuenta+
con unlock: desbloqueado~, desbloqueada~, desbloqueó~, desbloqueo, desbloqueos+, desbloquearon~, desbloqueé=
con account unlock: desbloqueo de [la|mi] cuenta, desbloqueos de [la|mi] cuenta+
con enable: activado~, activada~, activé=, activó~, activación, activaciones+, habilitado~, habilitada~, habilité=, habilitó~, activaron~, encendí~, activaste~
con disable: desactivado~, desactivada~, desactivé=, desactivó~, desactivación, desactivaciones+, deshabilitado~, deshabilitada~, deshabilité=, deshabilitó~, desactivaron~, apagué=, suspendida~
con reactivate: reactivado~, reactivada~, reactivó~, reactivación, reactivaciones+
con create: creado~, creada~, creadas~, creados~, creé=, creó~, crearon~, añadido~, añadida~, añadidas~, añadí~, añadió~, añadieron~, agregado~, agregada~, agregadas~, agregué=, agregó~, agregaron~, registrado~, registrada~, registradas~, registré=, registró~, generado~, generados~, generé=, generó~, generaron~,
  configurado~, configuré=, creación, creaciones+, registro, registros+, generación
con account create: alta, di de alta~
con remove: eliminado~, eliminada~, eliminadas~, eliminados~, eliminé=, eliminó~, eliminaron~, borrado~, borrada~, borré=, borró~, quité=, quitado~, quitó~, eliminación, eliminaciones+, borraron~, quitaron~
con takeover: robado~, robada~, robaron~, tomado el control de~, tomó el control de~, secuestrada~
con account takeover: robo de [la|mi] cuenta, toma de control
con import: importado~, importada~, importó~, importación, importaciones+
con export: exportado~, exportados~, exporté=, exportó~, exportaron~, exportación, exportaciones+, descargado~, descargué=
con data: datos
con password: contraseña, contraseñas+, clave, claves+
con change: cambiado~, cambiada~, cambié=, cambió~, cambiaron~, cambio, cambios+, modificado~, modificada~, modifiqué=, modificó~, actualizado~, actualizada~, actualicé=, actualizó~, modificación, modificaciones+, actualización, actualizaciones+
con reset: restablecido~, restablecí~, restableció~, restablecimiento, restablecimientos+, restablecer
con request: solicitado~, solicitada~, solicitadas~, solicitados~, solicité=, solicitó~, solicitaron~, solicitud, solicitudes+, pedido~, pedí~, pidió~, pidieron~, petición, peticiones+
con undo: deshecho~, deshizo~, deshice~, revertido~, revirtió~, revertí~, anulado~
con breach: filtrada, filtradas, comprometida, comprometidas, vulnerada
con email: [dirección de] (correo|correo electrónico|email|e mail|mail), correos+, (correos electrónicos|emails)+
con verify: verificado~, verificada~, confirmado~, confirmada~, validado~, validada~
con twofactor: (autenticación|verificación) [de|en] (dos|2) (pasos|factores), (autenticación|verificación) de doble factor, doble factor, doble autenticación, autenticación multifactor
con factor: segundo factor, segundos factores+
con totp: (aplicación|app) [de] (autenticación|autenticadora), autenticador, authenticator
con code: código, códigos+
con passkey: (llave|clave) de (acceso|paso), (llaves|claves) de (acceso|paso)+
con recovery_code: código de (recuperación|respaldo), códigos de (recuperación|respaldo)+
con recovery: recuperación [de] [la|mi] [cuenta], recuperaciones [de cuenta]+
con recovery_done: recuperado~, recuperada~, recuperé=
con cancel: cancelado~, cancelada~, cancelé=, canceló~, cancelación, cancelaciones+
con complete: completado~, completada~, completó~, finalizada~
con magic_link: enlace mágico, enlaces mágicos+, enlace de (acceso|inicio de sesión), enlaces de (acceso|inicio de sesión)+
con oauth: cuenta (social|externa|de terceros|oauth), cuentas (sociales|externas|de terceros|oauth)+
con link: vinculado~, vinculada~, vinculadas~, vinculé=, vinculó~, enlazado~, vinculación, conectada~
con unlink: desvinculado~, desvinculada~, desvinculé=, desvinculó~, desvinculación
con api_key: (clave|llave) [de] [la] api, (claves|llaves) [de] [la] api+, api key, api keys+
con anomaly: anomalía, anomalías+, actividad (sospechosa|inusual), (actividades|accesos|inicios de sesión) (sospechosas|sospechosos)+
con stuffing: relleno de credenciales, credential stuffing
con detect: detectado~, detectada~, detectadas~, detectó~, detectaron~
con use: usado~, usada~, usadas~, usé=, usó~, usaron~, uso, utilizado~, utilizada~, utilicé=, utilizó~, utilizaron~, utilizo, he usado, usados~, utilizados~
con event: todo lo que, todo lo, evento, eventos+, actividad, actividades+, historial, registro de actividad, algo, cosa, cosas+, suceso, sucesos+, registro de eventos
con happen: pasó~, pasado en, ocurrió~, ocurrido~, sucedió~, sucedido~, ha pasado~
"""

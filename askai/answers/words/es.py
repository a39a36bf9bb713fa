"""The words of answers in Spanish."""

from ...plans.entities import Column
from ...plans.plan import By, Form
from .table import Dates, Noun, Words, nouns

_EVENTS = nouns("""
signup_success|registro|registros
login_success|inicio de sesión|inicios de sesión
login_failed|inicio de sesión fallido|inicios de sesión fallidos
login_stopped_at_factor|inicio de sesión detenido en el segundo factor|inicios de sesión detenidos en el segundo factor
logout|cierre de sesión|cierres de sesión
logout_all|cierre de sesión en todas partes|cierres de sesión en todas partes
token_rotated|token renovado|tokens renovados
token_reuse_detected|token reutilizado|tokens reutilizados
session_revoked|sesión cerrada desde la lista|sesiones cerradas desde la lista
session_ended|fin de sesiones|fines de sesiones
reauthenticated|nueva prueba de identidad|nuevas pruebas de identidad
account_locked|bloqueo de la cuenta|bloqueos de la cuenta
account_unlocked|desbloqueo de la cuenta|desbloqueos de la cuenta
account_imported|importación de la cuenta|importaciones de la cuenta
password_changed|cambio de contraseña|cambios de contraseña
password_breach_rejected|contraseña filtrada rechazada|contraseñas filtradas rechazadas
password_hash_upgraded|almacenamiento reforzado de la contraseña|almacenamientos reforzados de la contraseña
email_change_requested|cambio de correo solicitado|cambios de correo solicitados
email_changed|cambio de correo|cambios de correo
email_change_undone|cambio de correo deshecho|cambios de correo deshechos
data_exported|exportación de datos|exportaciones de datos
account_deleted|eliminación de la cuenta|eliminaciones de la cuenta
account_deactivated|desactivación de la cuenta|desactivaciones de la cuenta
account_reactivated|reactivación de la cuenta|reactivaciones de la cuenta
account_taken_over|toma de la cuenta|tomas de la cuenta
oauth_linked|proveedor vinculado|proveedores vinculados
oauth_unlinked|proveedor desvinculado|proveedores desvinculados
application_signed_in|inicio de sesión en una aplicación|inicios de sesión en aplicaciones
application_disconnected|acceso finalizado de una aplicación|accesos finalizados de aplicaciones
totp_enabled|aplicación de autenticación añadida|aplicaciones de autenticación añadidas
totp_disabled|aplicación de autenticación eliminada|aplicaciones de autenticación eliminadas
totp_challenge_failed|código de autenticación incorrecto|códigos de autenticación incorrectos
passkey_registered|clave de acceso añadida|claves de acceso añadidas
passkey_removed|clave de acceso eliminada|claves de acceso eliminadas
passkey_challenge_failed|comprobación de clave de acceso fallida|comprobaciones de clave de acceso fallidas
second_factor_added|otro segundo factor añadido|otros segundos factores añadidos
second_factor_removed|otro segundo factor eliminado|otros segundos factores eliminados
second_factor_failed|otro segundo factor incorrecto|otros segundos factores incorrectos
magic_link_requested|enlace de acceso solicitado|enlaces de acceso solicitados
password_reset_requested|restablecimiento de contraseña solicitado|restablecimientos de contraseña solicitados
recovery_codes_generated|nuevo juego de códigos de recuperación|nuevos juegos de códigos de recuperación
recovery_code_used|código de recuperación usado|códigos de recuperación usados
recovery_code_failed|código de recuperación incorrecto|códigos de recuperación incorrectos
recovery_started|recuperación iniciada|recuperaciones iniciadas
recovery_cancelled|recuperación cancelada|recuperaciones canceladas
recovery_completed|recuperación completada|recuperaciones completadas
anomaly_detected|evento sospechoso|eventos sospechosos
credential_stuffing_detected|ataque detectado contra muchas cuentas|ataques detectados contra muchas cuentas
api_key_created|clave de API creada|claves de API creadas
api_key_revoked|clave de API revocada|claves de API revocadas
api_key_rejected|clave de API rechazada|claves de API rechazadas
""")

WORDS = Words(
    dates=Dates(
        months=(
            *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
            *("julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"),
        ),
        weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        first_day="1",
        day="{d} de {m} de {y}",
        month="{m} de {y}",
        week="semana del {date}",
        moment="{date}, {time}",
        on="el {d} de {m} de {y}",
        since="desde el {a}",
        before="antes del {b}",
        from_to="del {a} al {b}",
        in_month="del {d1} al {d2} de {m2} de {y2}",
        in_year="del {d1} de {m1} al {d2} de {m2} de {y2}",
        in_years="del {d1} de {m1} de {y1} al {d2} de {m2} de {y2}",
        hours="entre las {a} y las {b}",
        hour="{a} a {b}",
    ),
    events=_EVENTS,
    any_event=Noun(one="evento", many="eventos"),
    live_sessions=Noun(one="sesión activa", many="sesiones activas"),
    ended_sessions=Noun(one="sesión terminada", many="sesiones terminadas"),
    any_sessions=Noun(one="sesión activa o terminada", many="sesiones activas y terminadas"),
    this_session=Noun(one="esta sesión", many="esta sesión"),
    others="sin esta sesión",
    ended_in="con fin {period}",
    except_types="eventos excepto {list}",
    columns={
        Column.ID: "ID",
        Column.CREATED_AT: "Hora",
        Column.ENDED_AT: "Fin",
        Column.TYPE: "Evento",
        Column.IP: "Dirección IP",
        Column.LOCATION: "Lugar",
        Column.DEVICE: "Dispositivo",
        Column.BROWSER: "Navegador",
        Column.OS: "Sistema",
        Column.FORM: "Tipo de dispositivo",
        Column.USER_AGENT: "User-Agent",
    },
    by={
        By.TYPE: "evento",
        By.IP: "dirección IP",
        By.PLACE: "lugar",
        By.DEVICE: "dispositivo",
        By.BROWSER: "navegador",
        By.OS: "sistema",
        By.FORM: "tipo de dispositivo",
        By.HOUR: "hora",
        By.WEEKDAY: "día de la semana",
        By.DAY: "día",
        By.WEEK: "semana",
        By.MONTH: "mes",
    },
    place="lugar",
    weekday="día",
    forms={
        Form.PHONE: "teléfono",
        Form.TABLET: "tableta",
        Form.DESKTOP: "ordenador",
        Form.IPHONE: "iPhone",
        Form.IPAD: "iPad",
        Form.ANDROID_PHONE: "teléfono Android",
        Form.ANDROID_TABLET: "tableta Android",
        Form.BOT: "bot",
    },
    device="{browser} en {os}",
    unknown="desconocido",
    count="Número",
    period="Periodo",
    comma=", ",
    last_comma=" o ",
    colon=": ",
    stop=".",
    space=" ",
    is_value="{name} {values}",
    is_not_value="{name} distinto de {values}",
    grouped="{subject} por {by}",
    most="lo más frecuente",
    least="lo menos frecuente",
    zone=" ({zone})",
    number_of="{n} {noun}",
    at_least="{n} o más",
    none="ninguno",
    total="{n} en total",
    yes="sí, {n}",
    no="no",
    newest_is="Lo más reciente: {record}",
    newest="{many}, lo más reciente",
    oldest="{many}, lo más antiguo",
    newest_of="los {n} más recientes de {total}",
    oldest_of="los {n} más antiguos de {total}",
    first_of="los primeros {n} de {total} valores",
    more_values="y {n} más",
    partial="Solo se examinaron los {n} navegadores o direcciones más frecuentes, por lo que puede haber más.",
    none_examined="ninguno entre los examinados",
    ended_note="El servicio borra las sesiones terminadas después de {n} días.",
    events_note="El servicio conserva los eventos durante {n} días.",
    places_note="Este servicio no conoce lugares y por eso muestra direcciones IP.",
    facts={
        "locked": (
            "Bloqueo de su cuenta",
            "Su cuenta está bloqueada hasta el {until}.",
            "Su cuenta no está bloqueada.",
        ),
        "address_proven": (
            "Confirmación de su correo",
            "Su dirección de correo está confirmada.",
            "Su dirección de correo todavía no está confirmada.",
        ),
        "second_factor": (
            "Segundo factor de su cuenta",
            "Sí, su cuenta tiene un segundo factor.",
            "No, su cuenta no tiene ningún segundo factor.",
        ),
        "api_keys": (
            "Claves de API de su cuenta",
            "Sí, claves de API válidas de su cuenta: {n}.",
            "No, su cuenta no tiene ninguna clave de API válida.",
        ),
        "totp": (
            "Aplicación de autenticación de su cuenta",
            "Sí, su cuenta tiene una aplicación de autenticación.",
            "No, su cuenta no tiene ninguna aplicación de autenticación.",
        ),
        "passkey": (
            "Claves de acceso de su cuenta",
            "Sí, claves de acceso de su cuenta: {n}.",
            "No, su cuenta no tiene ninguna clave de acceso.",
        ),
        "recovery_code": (
            "Códigos de recuperación de su cuenta",
            "Sí, códigos de recuperación sin usar de su cuenta: {n}.",
            "No, su cuenta no tiene ningún código de recuperación sin usar.",
        ),
    },
    questions_on_sessions=(
        "¿Dónde tengo la sesión iniciada?",
        "¿En qué dispositivos tengo la sesión iniciada?",
        "¿Cuántas sesiones tengo?",
        "¿Tengo la sesión iniciada en un teléfono?",
        "¿Qué otras sesiones tengo?",
    ),
    questions_on_events=(
        "¿Cuándo inicié sesión por última vez?",
        "¿Hubo inicios de sesión fallidos esta semana?",
        "¿Está bloqueada mi cuenta?",
        "¿Con qué navegadores inicié sesión este mes?",
        "¿Cuántos inicios de sesión hubo en los últimos 7 días?",
    ),
    other_fact=(
        "Segundo factor: {name}",
        "Sí, su cuenta tiene este segundo factor: {name}.",
        "No, su cuenta no tiene este segundo factor: {name}.",
    ),
)

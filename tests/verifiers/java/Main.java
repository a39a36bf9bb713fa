import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;

/** Reads one token a line; writes the subject of each that is accepted, and an empty line for each other one. */
@EnableAutoConfiguration
@Import(Tokens.class)
public class Main {
    public static void main(String[] arguments) throws Exception {
        var application = new SpringApplicationBuilder(Main.class).web(WebApplicationType.NONE)
            .properties("spring.main.banner-mode=off", "logging.level.root=off").run(arguments);
        var decoder = application.getBean(JwtDecoder.class);
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (var token = lines.readLine(); token != null; token = lines.readLine()) {
            String subject;
            try {
                subject = decoder.decode(token).getSubject();
            } catch (JwtException refused) {
                subject = "";
            }
            System.out.println(subject);
        }
    }
}

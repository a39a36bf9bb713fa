import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.springframework.security.oauth2.jwt.JwtException;

/** Reads one token a line; writes the subject of each that is accepted, and an empty line for each other one. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        var decoder = new Tokens().jwtDecoder();
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

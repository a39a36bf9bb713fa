// An issuer of oidc-provider with its own pages for login and consent. Prints its port when it is ready.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [clientId, clientSecret, redirectUri] = process.argv.slice(2);
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    cookies: { keys: ["a key of a test"] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: `${id} at the issuer` }),
    }),
  });
  server.on("request", provider.callback());
  console.log(port);
});

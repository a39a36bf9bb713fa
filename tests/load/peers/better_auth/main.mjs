// better-auth, configured as its documentation describes, with the service's hash costs.
// `node main.mjs prepare` creates the tables and the accounts. `node main.mjs serve` answers requests.
import cluster from "node:cluster";
import { createServer } from "node:http";
import { hash, verify } from "@node-rs/argon2";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import pg from "pg";

const {
  PEER_ARGON2_MEMORY_KIB,
  PEER_ARGON2_PARALLELISM,
  PEER_ARGON2_TIME,
  PEER_CONNECTIONS,
  PEER_DATABASE,
  PEER_EMAILS,
  PEER_PASSWORD,
  PEER_PORT,
  PEER_WORKERS,
} = process.env;

const costs = {
  memoryCost: Number(PEER_ARGON2_MEMORY_KIB),
  timeCost: Number(PEER_ARGON2_TIME),
  parallelism: Number(PEER_ARGON2_PARALLELISM),
};

const options = () => ({
  baseURL: `http://127.0.0.1:${PEER_PORT}`,
  secret: "only-for-benchmarks-and-as-long-as-the-library-wants-it",
  // The driver reads host, port, user and password from PGHOST, PGPORT, PGUSER and PGPASSWORD.
  database: new pg.Pool({ database: PEER_DATABASE, max: Number(PEER_CONNECTIONS) }),
  emailAndPassword: {
    enabled: true,
    autoSignIn: false,
    password: {
      hash: (password) => hash(password, costs),
      verify: ({ hash: encoded, password }) => verify(encoded, password),
    },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: "error" },
});

async function prepare() {
  const own = options();
  await (await getMigrations(own)).runMigrations();
  const auth = betterAuth(own);
  for (const email of PEER_EMAILS.split(",")) {
    await auth.api.signUpEmail({ body: { email, password: PEER_PASSWORD, name: email } });
  }
  await own.database.end();
}

if (process.argv[2] === "prepare") {
  await prepare();
} else if (cluster.isPrimary) {
  for (let number = 0; number < Number(PEER_WORKERS); number += 1) cluster.fork();
  // A worker that ends would leave the others with its load.
  cluster.on("exit", () => process.exit(1));
} else {
  createServer(toNodeHandler(betterAuth(options()))).listen(Number(PEER_PORT), "127.0.0.1");
}

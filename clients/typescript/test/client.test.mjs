/** The client in Node, without Web Locks, against a server that answers what each test defines. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it } from "node:test";

import { Gatehouse, GatehouseError, memory } from "../dist/index.js";

const REFRESH = "/v1/refresh";

let issued = 0;
const pair = (lifetime = 900, sub = "alice") => {
  const claims = { iat: 0, exp: lifetime, jti: `session ${++issued}`, sub };
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  return { access_token: `a.${payload}.${issued}`, refresh_token: `srt_${issued}` };
};
const json = (status, body, headers = {}) => ({ status, headers, text: JSON.stringify(body) });
const data = (data) => json(200, { data });
const error = (status, code, headers) => json(status, { error: { code, message: `It is ${code}.` } }, headers);

/**
 * Run the test with a signed-in client. `answer(path, number)` returns an answer, or undefined to break off. `lifetime`
 * is that of the first access token, in seconds.
 */
async function withClient(answer, test, lifetime = 900) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, url: path, headers } = request;
    seen.push({ method, path, headers, body: body && JSON.parse(body) });
    const number = seen.filter((one) => one.path === path).length;
    const answered = path === "/v1/login" ? data(pair(lifetime)) : answer(path, number);
    if (answered === undefined) return response.destroy();
    response.writeHead(answered.status, answered.headers).end(answered.text);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  let ends = 0;
  const storage = memory();
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const open = () => new Gatehouse({ baseUrl: `${baseUrl}/`, storage, onSignedOut: () => (ends += 1) });
  const client = open();
  try {
    await client.login("alice@example.com", "correct horse battery");
    await test({ client, open, baseUrl, seen, storage, name: `gatehouse ${baseUrl}`, paths: () => seen.slice(1).map((one) => one.path), ends: () => ends });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refusal = (code) => (thrown) => thrown instanceof GatehouseError && thrown.code === code;

describe("the client", { concurrency: true }, () => {
  it("refreshes once after the service refused its access token", () =>
    withClient(
      (path, number) => (path === REFRESH ? data(pair()) : number === 1 ? error(401, "invalid_access_token") : data([])),
      async ({ client, seen, paths }) => {
        assert.deepEqual(await client.request("GET", "/v1/sessions"), []);
        assert.deepEqual(paths(), ["/v1/sessions", REFRESH, "/v1/sessions"]);
        assert.notEqual(seen[1].headers.authorization, seen[3].headers.authorization);
      },
    ));

  it("needs the origin of the service, so that no path can change the host", () => {
    for (const baseUrl of ["", "/", "//auth.example.com"]) {
      assert.throws(() => new Gatehouse({ baseUrl, storage: memory() }), TypeError);
    }
  });

  it("refreshes once at most for a request", () =>
    withClient(
      (path) => (path === REFRESH ? data(pair()) : error(401, "invalid_access_token")),
      async ({ client, paths, ends }) => {
        await assert.rejects(client.request("GET", "/v1/sessions"), refusal("invalid_access_token"));
        assert.deepEqual(paths(), ["/v1/sessions", REFRESH, "/v1/sessions"]);
        assert.equal(ends(), 0);
      },
    ));

  for (const [title, call] of Object.entries({
    "repeats no request": ({ client }) => client.request("DELETE", "/v1/sessions/1"),
    "sends no request after a refresh": ({ client, expire }) => (expire(), client.request("DELETE", "/v1/sessions/1")),
    "returns no newer token": async ({ client }) => client.accessToken(await client.accessToken()),
    "logs no one out": ({ client }) => client.logout(),
    "logs no one out after a refresh": ({ client, expire }) => (expire(), client.logout()),
  })) {
    it(`${title} as another user who signed in meanwhile, in a tab without Web Locks`, () => {
      const bob = pair(900, "bob");
      const signBobIn = (storage, name) => {
        storage.setItem(name, JSON.stringify({ ...JSON.parse(storage.getItem(name)), access: bob.access_token, refresh: bob.refresh_token, renewAt: Infinity }));
      };
      let before;
      return withClient(
        (path) => {
          before();
          return path === REFRESH ? data(pair()) : error(401, "invalid_access_token");
        },
        async ({ client, storage, name, paths, ends }) => {
          before = () => signBobIn(storage, name);
          const expire = () => storage.setItem(name, JSON.stringify({ ...JSON.parse(storage.getItem(name)), renewAt: 0 }));
          await assert.rejects(call({ client, expire }), refusal("signed_out"));
          assert.equal(paths().length, 1);
          assert.equal(JSON.parse(storage.getItem(name)).refresh, bob.refresh_token);
          assert.equal(ends(), 0);
        },
      );
    });
  }

  it("refreshes before its access token expires", () =>
    withClient(
      (path) => (path === REFRESH ? data(pair()) : data([])),
      async ({ client, paths }) => {
        await client.request("GET", "/v1/sessions");
        await client.request("GET", "/v1/sessions");
        assert.deepEqual(paths(), [REFRESH, "/v1/sessions", "/v1/sessions"]);
      },
      0,
    ));

  it("shares one refresh among its calls", () =>
    withClient(
      () => data(pair()),
      async ({ client, paths }) => {
        const token = await client.accessToken();
        const fresh = await Promise.all(Array.from({ length: 8 }, () => client.accessToken(token)));
        assert.equal(new Set(fresh).size, 1);
        assert.deepEqual(paths(), [REFRESH]);
      },
    ));

  it("shares one failed refresh among its calls", () =>
    withClient(
      () => undefined,
      async ({ client, paths }) => {
        const token = await client.accessToken();
        const results = await Promise.allSettled(Array.from({ length: 8 }, () => client.accessToken(token)));
        assert.deepEqual(new Set(results.map(({ reason }) => reason.code)), new Set(["no_answer"]));
        assert.deepEqual(paths(), [REFRESH, REFRESH]);
      },
    ));

  it("repeats the key of a lost refresh, also after a restart", () =>
    withClient(
      (path, number) => (number < 3 ? undefined : data(pair())),
      async ({ client, open, seen, ends }) => {
        await assert.rejects(client.accessToken(await client.accessToken()), refusal("no_answer"));
        const restarted = open();
        await restarted.accessToken(await restarted.accessToken());
        await restarted.accessToken(await restarted.accessToken());
        const keys = seen.slice(1).map((one) => one.headers["idempotency-key"]);
        assert.match(keys[0], /^[A-Za-z0-9_-]{22}$/);
        assert.deepEqual(keys.slice(0, 3), Array(3).fill(keys[0]));
        assert.notEqual(keys[3], keys[0]);
        assert.equal(ends(), 0);
      },
    ));

  for (const [title, answer] of Object.entries({
    "is overloaded": error(503, "overloaded", { "Retry-After": "1" }),
    "limits its clients": error(429, "rate_limited", { "Retry-After": "1" }),
    "is behind a proxy that fails": { status: 502, text: "<h1>Bad Gateway</h1>" },
    "is behind a proxy that demands a login": { status: 401, text: "<h1>Unauthorized</h1>" },
    "is behind a portal": { status: 200, text: '"Welcome"' },
    "answers half a body": { status: 200, text: '{"data": {"access_token": ' },
  })) {
    it(`signs no user out while the service ${title}`, () =>
      withClient(
        () => answer,
        async ({ client, paths, ends }) => {
          await assert.rejects(client.accessToken(await client.accessToken()), {
            name: "GatehouseError",
            status: answer.status,
            retryAfter: answer.headers && 1,
          });
          assert.deepEqual(paths(), [REFRESH, REFRESH]);
          assert.equal(client.isSignedIn, true);
          assert.equal(ends(), 0);
        },
      ));
  }

  for (const code of ["invalid_token", "token_reused"]) {
    it(`signs the user out once on ${code}`, () =>
      withClient(
        () => error(401, code),
        async ({ client, paths, ends }) => {
          const token = await client.accessToken();
          await assert.rejects(client.accessToken(token), refusal(code));
          await assert.rejects(client.accessToken(token), refusal("signed_out"));
          assert.deepEqual(paths(), [REFRESH]);
          assert.equal(client.isSignedIn, false);
          assert.equal(ends(), 1);
        },
      ));
  }

  it("ends the session of its access token at a logout", () =>
    withClient(
      () => data({ status: "logged out" }),
      async ({ client, seen, ends }) => {
        const claims = JSON.parse(atob((await client.accessToken()).split(".")[1]));
        await client.logout();
        await client.logout();
        assert.deepEqual(seen[1].body, { session_id: claims.jti });
        assert.equal(seen.length, 2);
        assert.equal(ends(), 1);
      },
    ));

  it("deletes its tokens at a logout without an answer", () =>
    withClient(
      () => undefined,
      async ({ client }) => {
        await assert.rejects(client.logout(), refusal("no_answer"));
        assert.equal(client.isSignedIn, false);
      },
    ));

  it("states the broken rules of a password", () =>
    withClient(
      () => json(400, { error: { code: "password_policy_violation", message: "Longer.", details: ["min_length"] } }),
      async ({ client }) => {
        const body = { email: "bob@example.com", password: "short" };
        await assert.rejects(client.request("POST", "/v1/signup", body), {
          name: "GatehouseError",
          code: "password_policy_violation",
          message: "Longer.",
          status: 400,
          details: ["min_length"],
        });
      },
    ));

  it("sends the headers of the application, also after a change", () =>
    withClient(
      () => data([]),
      async ({ seen, baseUrl }) => {
        const headers = { "User-Agent": "Browser/1", Authorization: "Basic x" };
        const client = new Gatehouse({ baseUrl, storage: memory(), headers });
        await client.login("alice@example.com", "correct horse battery");
        headers["User-Agent"] = "Browser/2";
        await client.request("GET", "/v1/sessions");
        assert.deepEqual(seen.slice(1).map((one) => one.headers["user-agent"]), ["Browser/1", "Browser/2"]);
        assert.match(seen[2].headers.authorization, /^Bearer /);
      },
    ));

  it("refuses a body that is not JSON", () =>
    withClient(
      () => data({}),
      async ({ client, paths }) => {
        await assert.rejects(client.request("POST", "/v1/api-keys", { name: 1n }), TypeError);
        assert.deepEqual(paths(), []);
      },
    ));

  it("lets no path change the host", () =>
    withClient(
      () => undefined,
      async ({ client, paths }) => {
        await assert.rejects(client.request("GET", "@eve.example.com/"), TypeError);
        assert.deepEqual(paths(), []);
      },
    ));
});

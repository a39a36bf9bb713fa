/** The list of revocations in Node, against a server that answers what each test defines. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { it } from "node:test";

import { RevocationList } from "../dist/revocations.js";

const LATER = "2999-01-01T00:00:00.000000Z";
const page = (ids, { hasMore = false, since = "2026-11-22T16:31:08.204410Z" } = {}) => ({
  data: { revocations: [{ session_ids: ids, expires_at: LATER }], next_since: since, has_more: hasMore },
});
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Run the test with the URL of a server that sends these answers. After the last one, it breaks connections off. */
async function withAnswers(answers, test) {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const answer = answers[seen.length - 1];
    if (!answer) return response.destroy();
    response.writeHead(answer.error ? 401 : 200, { "Content-Type": "application/json" });
    setTimeout(() => response.end(JSON.stringify(answer)), answer.milliseconds ?? 0);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    await test(`http://127.0.0.1:${server.address().port}/`, seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it("continues where the answer before ended, and stays while no answer arrives", () =>
  withAnswers([page(["a"], { hasMore: true }), page(["b"], { since: LATER }), page(["c"])], async (baseUrl, seen) => {
    const errors = [];
    const onError = (error) => errors.push(error);
    const list = await RevocationList.start({ baseUrl, apiKey: "ak_x", seconds: 0.01, onError });
    while (!errors.length) await sleep(5);
    list.close();
    assert.deepEqual(["a", "b", "c", "d"].map((id) => list.has(id)), [true, true, true, false]);
    const since = seen.slice(0, 3).map(({ url }) => new URL(url, baseUrl).searchParams.get("since"));
    assert.deepEqual(since, [null, "2026-11-22T16:31:08.204410Z", LATER]);
    assert.equal(seen[0].headers["x-api-key"], "ak_x");
  }));

it("fetches again from the same time after a failed page, and waits for an answer before the next fetch", () => {
  const second = page(["b"], { hasMore: true, since: LATER });
  const refused = { error: { code: "overloaded", message: "Later." } };
  return withAnswers([page(["a"]), second, refused, { ...second, milliseconds: 100 }, page(["c"])], async (baseUrl, seen) => {
    const list = await RevocationList.start({ baseUrl, apiKey: "ak_x", seconds: 0.01, onError: () => {} });
    while (!list.has("c")) await sleep(5);
    list.close();
    assert.equal(list.has("b"), true);
    const since = seen.slice(0, 5).map(({ url }) => new URL(url, baseUrl).searchParams.get("since"));
    const first = "2026-11-22T16:31:08.204410Z";
    assert.deepEqual(since, [null, first, LATER, first, LATER]);
  });
});

it("does not start with a refused key", () =>
  withAnswers([{ error: { code: "invalid_api_key", message: "Not valid." } }], (baseUrl) =>
    assert.rejects(RevocationList.start({ baseUrl, apiKey: "ak_x" }), { status: 401, code: "invalid_api_key" }),
  ));

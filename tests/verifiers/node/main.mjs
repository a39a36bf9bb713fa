// Reads one token a line; writes the subject of each that is accepted, and an empty line for each other one.
import { readFileSync } from "node:fs";
import { verify } from "./verify.mjs";

for (const token of readFileSync(0, "utf8").trim().split("\n")) {
  console.log(await verify(token).then((claims) => claims.sub, () => ""));
}

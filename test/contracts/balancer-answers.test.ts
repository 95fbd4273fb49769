/** What the examples of proxies answer by themselves is what clients of the API understand, and HAProxy drops no node that still answers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { problem } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { ROOT } from "../parts/program.ts";

const example = (path: string) => readFileSync(join(ROOT, "packaging", path), "utf8");
const haproxy = example("cloud/haproxy.cfg");
const section = (name: string) => haproxy.split(/^(?=\S)/m).find((text) => text.startsWith(`${name}\n`)) ?? "";
const serversOf = (backend: string) => section(backend).match(/^ {4}server .*$/gm);

test.each([
  [
    "cloud/haproxy.cfg",
    [502, 503, 504],
    /http-error status (\d+) content-type application\/problem\+json string '(.*)' hdr retry-after 1$/gm,
  ],
  ["cloud/nginx.conf", [502, 503], /return (50\d) '(.*)';$/gm],
  ["cloud/Caddyfile", [502, 503], /respond `(.*)` (50\d)$/gm],
  ["compose/Caddyfile", [502, 503], /respond `(.*)` (50\d)$/gm],
])("%s answers with errors of the API, each with its outcome", (path, statuses, answer) => {
  const answers = [...example(path).matchAll(answer)].map((match) => match.slice(1).toSorted());
  expect(answers.map(([status]) => Number(status)).toSorted()).toEqual(statuses);
  for (const [status, body] of answers)
    expect(problem.parse(JSON.parse(body ?? "null"))).toMatchObject({
      status: Number(status),
      title: "Service Unavailable",
      outcome: status === "503" ? "not_sent" : "unknown",
    });
});

test("while no node is ready, requests go to the nodes all the same, which are then only asked whether they listen", () => {
  expect(section("frontend cloud")).toContain("    use_backend nodes_unready if { nbsrv(nodes) eq 0 }\n");
  expect(serversOf("backend nodes")).toHaveLength(3);
  expect(serversOf("backend nodes_unready")).toEqual(serversOf("backend nodes"));
  expect(section("backend nodes_unready")).not.toContain("httpchk");
});

/** The functions on the page about checking webhooks run as they stand there, on deliveries that the library of Standard Webhooks has signed. */
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");

/** How a language runs its function over cases from stdin: it prints a line for each, `taken` or `refused`. */
interface Language {
  readonly name: string;
  readonly fence: string;
  readonly file: string;
  /** Its own file, or what comes after the function. */
  readonly driver: string;
  readonly driverFile?: string;
  readonly command: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: "JavaScript",
    fence: "js",
    file: "check.mjs",
    command: [process.execPath, "check.mjs"],
    driver: `
import { readFileSync } from "node:fs";
for (const { headers, body, secret } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    const bytes = Buffer.from(body);
    console.log(checkWebhook(headers, bytes, secret).room === JSON.parse(body).room ? "taken" : "another event");
  } catch {
    console.log("refused");
  }
}`,
  },
  {
    name: "Python",
    fence: "python",
    file: "check.py",
    command: ["/usr/bin/python3", "-W", "error", "check.py"],
    driver: `
import sys

for case in json.load(sys.stdin):
    try:
        event = check_webhook(case["headers"], case["body"].encode(), case["secret"])
        print("taken" if event == json.loads(case["body"]) else "another event")
    except ValueError:
        print("refused")
`,
  },
  {
    name: "Go",
    fence: "go",
    file: "check.go",
    driverFile: "main.go",
    command: ["/usr/bin/go", "run", "check.go", "main.go"],
    driver: `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Headers      map[string]string
		Body, Secret string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		if err := CheckWebhook(header, []byte(each.Body), each.Secret); err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println("taken")
		}
	}
}
`,
  },
  {
    name: "Ruby",
    fence: "ruby",
    file: "check.rb",
    command: ["/usr/bin/ruby", "-w", "check.rb"],
    driver: `
JSON.parse($stdin.read).each do |item|
  event = check_webhook(item["headers"], item["body"], item["secret"])
  puts event == JSON.parse(item["body"]) ? "taken" : "another event"
rescue ArgumentError
  puts "refused"
end
`,
  },
  {
    name: "PHP",
    fence: "php",
    file: "check.php",
    command: ["/usr/bin/php", "-d", "error_reporting=-1", "-d", "display_errors=stderr", "check.php"],
    driver: `
foreach (json_decode(file_get_contents('php://stdin'), true) as $item) {
    try {
        $event = check_webhook($item['headers'], $item['body'], $item['secret']);
        echo $event === json_decode($item['body'], true) ? "taken\\n" : "another event\\n";
    } catch (RuntimeException) {
        echo "refused\\n";
    }
}
`,
  },
];

const SECRET = `whsec_${Buffer.from("a secret of this test, 24+").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another secret of this one").toString("base64")}`;
const BODY = JSON.stringify({ id: "evt_1", type: "device.online", room: "Küche" });
const ID = "evt_01h455vb4pex5vsknk084sn02q";

/** @param minutes from now */
function delivery(secret: string, minutes = 0) {
  const at = new Date(Date.now() + minutes * 60_000);
  const webhook = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });
  const signature = webhook.sign(ID, at, BODY);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return { "webhook-id": ID, "webhook-timestamp": timestamp, "webhook-signature": signature };
}

/** Signed with the empty key, which the library refuses to do. */
function emptyHanded() {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac("sha256", "").update(`${ID}.${timestamp}.${BODY}`).digest("base64");
  return { "webhook-id": ID, "webhook-timestamp": timestamp, "webhook-signature": `v1,${digest}` };
}

function cases() {
  const right = delivery(SECRET);
  const signature = right["webhook-signature"];
  const of = (headers: Readonly<Record<string, string>>, body = BODY, secret = SECRET) => ({ headers, body, secret });
  const { "webhook-signature": _, ...unsigned } = right;
  const { "webhook-timestamp": __, ...timeless } = right;
  return {
    taken: {
      "a right one": of(right),
      "the second of two signatures": of({
        ...right,
        "webhook-signature": `${delivery(OTHER)["webhook-signature"]} ${signature}`,
      }),
      "the first of two signatures": of({ ...right, "webhook-signature": `${signature} v1a,AAAA` }),
      "four minutes ago": of(delivery(SECRET, -4)),
      "a secret that is its bytes": of(delivery("größe"), BODY, "größe"),
    },
    refused: {
      "another body": of(right, BODY.replace("Küche", "Bad")),
      "another secret": of(right, BODY, OTHER),
      "another ID": of({ ...right, "webhook-id": "evt_2" }),
      "ten minutes ago": of(delivery(SECRET, -10)),
      "in ten minutes": of(delivery(SECRET, 10)),
      "another time than was signed": of({
        ...right,
        "webhook-timestamp": String(Number(right["webhook-timestamp"]) - 1),
      }),
      "no time": of({ ...right, "webhook-timestamp": "now" }),
      "without a time": of(timeless),
      "without a signature": of(unsigned),
      "an empty signature": of({ ...right, "webhook-signature": "" }),
      "part of a signature": of({ ...right, "webhook-signature": signature.slice(0, -4) }),
      "a signature of another version": of({ ...right, "webhook-signature": signature.replace("v1,", "v2,") }),
      // Any sender could sign with it.
      "an empty secret": of(emptyHanded(), BODY, ""),
      "an empty secret after its prefix": of(emptyHanded(), BODY, "whsec_"),
    },
  };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-snippets-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(LANGUAGES)("in $name", ({ fence, file, driver, driverFile, command }) => {
  it("the service's signature is accepted, and every other is refused", () => {
    const snippets = [...page.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, "gms"))];
    expect(snippets).toHaveLength(1);
    const code = snippets[0]?.[1] ?? "";
    writeFileSync(join(folder, file), driverFile ? code : code + driver);
    if (driverFile) writeFileSync(join(folder, driverFile), driver);
    const { taken, refused } = cases();
    const all = Object.entries({ ...taken, ...refused });
    const env = {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      LC_ALL: "C.UTF-8",
      GO111MODULE: "off",
      GOFLAGS: "-mod=",
      GOPROXY: "off",
    };
    const [program = "", ...args] = command;
    const input = JSON.stringify(all.map(([, each]) => each));
    const { stdout, stderr, status } = spawnSync(program, args, { cwd: folder, env, input, encoding: "utf8" });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const lines = stdout.trimEnd().split("\n");
    const verdicts = Object.fromEntries(all.map(([name], at) => [name, lines[at]]));
    const expected = [
      ...Object.keys(taken).map((name) => [name, "taken"]),
      ...Object.keys(refused).map((name) => [name, "refused"]),
    ];
    expect(verdicts).toEqual(Object.fromEntries(expected));
  });
});

it("the page has a function for each of these languages, and for no other", () => {
  const fences = [...page.matchAll(/^```(\w+)/gm)].map(([, fence]) => fence);
  expect(fences).toEqual([...LANGUAGES.map(({ fence }) => fence), "sh"]);
});

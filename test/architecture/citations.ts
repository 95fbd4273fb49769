/** Numbers of the contract: where `docs/contract` defines them, and what code and documents cite. */

/** A rule as it is cited: `A4.2` of the API, `T5` of the tunnel, `DP3` of the device protocol. */
const NUMBER = /(?<![\w#"/.-])(?:A|T|DP)[1-9]\d?(?:\.\d+)*(?![\w-]|\.\w)/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g;
/** The title of a test or group that begins with a rule. */
const TITLE = /\b(?:describe|it|test)\("((?:A|T|DP)[1-9]\d?(?:\.\d+)*): /g;
const LINK = /\]\((?:\.\.\/)*(?:contract\/)?(?:api|tunnel|device-protocol)\.md#((?:A|T|DP)\d[\d.]*)\)/g;
/** Ways of citing that name no anchor. */
const VAGUE = /\b(?:contract,? (?:sections? )?\d|(?:tunnel )?guarantees? \d|(?:tunnel|protocol|api)\.md,? \d)/gi;

/** The anchors of a document, in its order. */
export function anchorsOf(document: string): string[] {
  return [...document.matchAll(/<a id="((?:A|T|DP)\d[\d.]*)"><\/a>/g)].map(([, id]) => id ?? "");
}

/** The citations of a file. @param path decides whether it is code, of which only comments and titles count */
export function citationsOf(path: string, text: string): { readonly numbers: string[]; readonly vague: string[] } {
  if (path.endsWith(".md"))
    return {
      numbers: [...text.matchAll(LINK)].map(([, id]) => id ?? ""),
      vague: [...text.matchAll(VAGUE)].map(String),
    };
  const comments = [...text.matchAll(COMMENT)].map(String).join("\n");
  const titles = [...text.matchAll(TITLE)].map(([, id]) => id ?? "");
  return {
    numbers: [...[...comments.matchAll(NUMBER)].map(String), ...titles],
    vague: [...comments.matchAll(VAGUE)].map(String),
  };
}

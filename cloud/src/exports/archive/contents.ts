/** The files of an archive: one for each exporter, a JSON object in each line, after a README.txt that says what they are. */
import { formatTime } from "@porchlight/shared/api";
import type { ExportedAccount, Exporter } from "../exporters/exporter.ts";
import type { ArchiveFile } from "./zip.ts";

const ENDING = ".ndjson";
const WIDTH = 78;

/** @param madeAt wall clock, ms @param url the service's address, without `/api` */
export function contentsOf(
  exporters: readonly Exporter[],
  account: ExportedAccount,
  madeAt: number,
  url: string,
): ArchiveFile[] {
  return [
    { name: "README.txt", read: () => [readme(exporters, account.accountId, madeAt, url)] },
    ...exporters.map((exporter) => ({ name: `${exporter.name}${ENDING}`, read: () => linesOf(exporter, account) })),
  ];
}

async function* linesOf(exporter: Exporter, account: ExportedAccount): AsyncGenerator<string> {
  for await (const row of exporter.rows(account)) yield `${typeof row === "string" ? row : JSON.stringify(row)}\n`;
}

function readme(exporters: readonly Exporter[], accountId: string, madeAt: number, url: string): string {
  const files = exporters.map(({ name, about }) => `${name}${ENDING}\n${wrapped(about, "    ")}`);
  return `Your data

${wrapped(`This archive has everything that the service at ${url} keeps of the account ${accountId}, except secrets: passwords, tokens and signing secrets are not in it. It was started at ${formatTime(madeAt)}.`)}

${wrapped("Each file has one JSON object in each line (NDJSON), in UTF-8. A file is empty if the service keeps nothing of its kind. The fields are those of the API and are explained there, under /docs. Times are in UTC.")}

${wrapped("The files were written one after another while the service was running. What changed in the meantime can be in one file and missing in another.")}

Files

${files.join("\n\n")}
`;
}

/** The text in lines that fit a terminal. */
function wrapped(text: string, indent = ""): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line !== indent && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}

/** `porchlight-cloud audit verify`: whether anybody has changed the audit behind the service's back. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { formatTime } from "@porchlight/shared/api";
import { IdMaker } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type AuditHead, auditHeads, type ChainFinding, compareHeads, verifyAudit } from "../ops/index.ts";
import { Store } from "../store/index.ts";
import { CommandRefused, existingDatabase } from "./refusal.ts";
import type { VersionCommandDeps } from "./version-commands.ts";

const FAULTS: Readonly<Record<ChainFinding["fault"], string>> = {
  missing: "is not there",
  changed: "is not what was stored there: edited, or moved",
  unbound: "does not follow from those before it: they, or their order, were changed",
  added: "has no place in its chain",
  replaced: "is not what was there when its chain's head was noted",
};

/**
 * Prints what holds, and of each chain the first entry that does not.
 * @param headsFile compared with the heads in it, and, when all holds, written anew
 * @returns whether all holds @throws CommandRefused, SystemError
 */
export async function verify(deps: VersionCommandDeps, headsFile: string | undefined): Promise<boolean> {
  const { settings, clock, random, print } = deps;
  const noted = headsFile === undefined ? [] : readHeads(headsFile);
  await using store = await Store.open({
    location: existingDatabase(settings),
    clock,
    ids: new IdMaker(clock, random),
    patient: true,
  });
  // Before the walk: what was walked holds these heads.
  const heads = await auditHeads(store);
  const { chains, held, erased, findings } = await verifyAudit(store);
  const all = [...findings, ...(await compareHeads(store, noted))];
  for (const finding of all) print(inWords(finding));
  if (all.length > 0) {
    print(`the audit does not hold: ${all.length} findings in ${chains} chains`);
    return false;
  }
  print(`the audit holds: ${held} entries in ${chains} chains, and the links of ${erased} that were erased`);
  if (headsFile !== undefined) writeHeads(headsFile, heads);
  return true;
}

function inWords({ subject, chain, sequence, fault, entry }: ChainFinding): string {
  const what = entry ? ` (${entry.id}, ${entry.action}, ${formatTime(entry.at)})` : "";
  return `${subject || `chain ${chain}`}: entry ${sequence}${what} ${FAULTS[fault]}`;
}

const head = z.object({ chain: z.string(), sequence: z.number(), link: z.string(), erased: z.boolean() });
const headsSchema = z.array(head);

function readHeads(file: string): AuditHead[] {
  if (!existsSync(file)) return [];
  try {
    return headsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new CommandRefused(`${file} does not hold heads that were noted by this command.`);
  }
}

/** The old heads stay until the new ones are whole. */
function writeHeads(file: string, heads: readonly AuditHead[]): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(heads)}\n`);
  renameSync(`${file}.new`, file);
}

/** `porchlight-agent drivers`: adds third-party driver packages from a file, lists and removes them. */
import { readFileSync, statSync } from "node:fs";
import { printable, printableValue } from "@porchlight/shared/model";
import type { InstalledPackage, OfferedPackage } from "../drivers/packages/index.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder, type Surroundings } from "./command.ts";

interface AddFlags {
  readonly data: string;
  readonly integrity?: string;
  readonly yes?: boolean;
}

/** Loaded by these commands only. */
const packages = () => import("../drivers/packages/index.ts");

const AT_NEXT_START = "This takes effect at the next start of the agent.\n";

export const addDrivers: AddCommand = (program, around) => {
  const drivers = program.command("drivers").description("manage packages with drivers");
  onDataFolder(drivers.command("add <file.tgz>"), around)
    .description("add or update a package from a file; without --yes it is only shown")
    .option("--integrity <sha512>", "expected hash of the file, as npm prints it: sha512-...")
    .option("--yes", "add the package; without this it is only shown")
    .action((file: string, flags: AddFlags) => add(file, flags, around));
  onDataFolder(drivers.command("list"), around)
    .description("list the installed packages")
    .option("--json", "print JSON")
    .action((flags: { readonly data: string; readonly json?: boolean }) => list(flags, around));
  onDataFolder(drivers.command("remove <name>"), around)
    .description("remove a package; its devices stay known")
    .action(async (name: string, { data }: { readonly data: string }) => {
      const { removePackage } = await packages();
      if (!removePackage(data, shortOf(name)))
        throw new CommandFailed(`no package ${name} is installed`, EXIT.notFound);
      around.out(`${name} is removed. ${AT_NEXT_START}`);
    });
};

async function add(file: string, { data, integrity, yes }: AddFlags, { out, endWith }: Surroundings): Promise<void> {
  const { addPackage, openPackage, MAX_TARBALL_BYTES } = await packages();
  // Checked before the file is read, which can be of any size.
  if (statSync(file).size > MAX_TARBALL_BYTES) throw new CommandFailed(`${file}: it is larger than 8 MB`, EXIT.refused);
  const offered = await refusing(file, () => openPackage(readFileSync(file), integrity));
  out(shown(offered));
  if (!yes) {
    out(
      "Not added yet. The driver would run on this hub with the rights above. To add it, repeat the command with --yes.\n",
    );
    endWith(EXIT.refused);
    return;
  }
  await refusing(file, () => addPackage(data, offered));
  out(`Added. ${AT_NEXT_START}`);
}

/** Reports an error in a file together with the file's name. */
async function refusing<T>(file: string, work: () => T): Promise<T> {
  const { PackageUnusable } = await packages();
  try {
    return work();
  } catch (failure) {
    if (failure instanceof PackageUnusable)
      throw new CommandFailed(`${file}: ${printable(failure.message)}`, EXIT.refused);
    throw failure;
  }
}

function shown(offered: OfferedPackage): string {
  const { manifest, integrity } = printableValue({ manifest: offered.manifest, integrity: offered.integrity });
  const { name, version, description, wants, memoryMb, shortName } = manifest;
  return [
    `${name} ${version}${description === "" ? "" : `: ${description.slice(0, 200)}`}`,
    `  wants      ${wants.length === 0 ? "nothing besides its settings" : wants.map(inWords).join(", ")}`,
    `  memory     ${memoryMb} MB for objects, and half as much again for the rest`,
    `  settings   drivers.${shortName}${manifest.settings ? "" : ", which it does not describe"}`,
    `  integrity  ${integrity}`,
    "",
  ].join("\n");
}

function inWords(want: "network" | "serial"): string {
  return want === "network" ? "the network" : "serial lines (all of /dev that the agent may open)";
}

async function list(
  { data, json }: { readonly data: string; readonly json?: boolean },
  { out }: Surroundings,
): Promise<void> {
  const { installedPackages, unusablePackages } = await packages();
  const installed = installedPackages(data);
  const unusable = unusablePackages(data);
  if (json)
    out(
      `${JSON.stringify([...installed.map(asJson), ...unusable.map(({ shortName, why }) => ({ shortName, why }))])}\n`,
    );
  else {
    for (const { name, version, wants, memoryMb } of printableValue(installed))
      out(`${name} ${version}  ${wants.join(", ") || "-"}  ${memoryMb} MB\n`);
    for (const { shortName, why } of printableValue(unusable)) out(`${shortName}  cannot be used: ${why}\n`);
  }
}

function asJson({ name, shortName, version, wants, memoryMb, integrity }: InstalledPackage) {
  return { name, shortName, version, wants, memoryMb, integrity };
}

/** The short name of a package; accepts the full name too. */
function shortOf(name: string): string {
  return name.replace(/^(?:@[^/]+\/)?porchlight-driver-/, "");
}

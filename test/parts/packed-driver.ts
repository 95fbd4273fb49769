/** Packages with drivers as their authors make them: bundled, and packed by npm. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "./program.ts";

/** The example of the repository, as its README has it. @returns the archive's path */
export async function packExample(out: string): Promise<string> {
  const folder = join(ROOT, "examples", "porchlight-driver-example");
  const code = await build({
    entryPoints: [join(folder, "src", "index.ts")],
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    write: false,
  });
  const manifest = (await import(join(folder, "package.json"), { with: { type: "json" } })).default;
  return packDriver(out, manifest, { "dist/driver.mjs": code.outputFiles[0]?.text ?? "" });
}

/** @param files texts by path */
export function packDriver(out: string, manifest: object, files: Readonly<Record<string, string>>): string {
  const folder = join(out, "packing");
  for (const [path, text] of Object.entries({ ...files, "package.json": JSON.stringify(manifest) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", out, "--cache", join(out, "npm-cache")];
  const packed: { filename: string }[] = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
  return join(out, packed[0]?.filename ?? "");
}

// The licences of all third-party parts of the executable. Each must go with the code that it covers.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools.mjs";

/**
 * The text of all notices.
 * @param packages folders of the npm packages in the bundle
 * @param node Node.js's own licence file, with those of all that it contains
 */
export function notices(packages, node) {
  return written([{ title: "Node.js", text: node }, ...licences(packages)]);
}

/** Of packages alone, such as those of a driver. */
export function noticesOf(packages) {
  return written(licences(packages));
}

function licences(packages) {
  const of = packages.map((folder) => {
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const kind = about.license === undefined ? "" : ` (${about.license})`;
    return { title: `${about.name} ${about.version}${kind}`, text: licenceOf(folder, about) };
  });
  of.sort((one, other) => (one.title < other.title ? -1 : 1));
  return of;
}

function written(of) {
  return of.map(({ title, text }) => `${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${text.trim()}\n`).join("\n");
}

function licenceOf(folder, { name, license, author }) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (files.length > 0)
    return files
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim())
      .join("\n\n");
  // It names only the licence.
  if (license !== "MIT") throw new Error(`${name} brings no licence: it cannot go into the package`);
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
  const text = readFileSync(join(root, "packaging", "images", "mit-licence.txt"), "utf8");
  return `MIT License\n\nCopyright (c) ${holder.replace(/ *<[^>]*>/, "")}\n\n${text}`;
}

/** The manifest of a package with a driver: its `package.json`, limited to the fields that the hub uses. */
import { z } from "zod";

/** The version of the interface for driver authors that this agent implements. */
export const PACKAGE_API = 1;
/** Memory of a driver that specifies none, MB. */
const DEFAULT_MEMORY_MB = 64;
const MOST_MEMORY_MB = 256;

const NAME = /^(?:@[a-z0-9-]{1,64}\/)?porchlight-driver-([a-z0-9][a-z0-9-]{0,63})$/;
const NO_DEPENDENCIES = "must be empty: a package carries all of its code in one bundled file";
const none = z.record(z.string(), z.unknown()).refine((given) => Object.keys(given).length === 0, NO_DEPENDENCIES);

/** A file inside of the package. */
const entry = z
  .string()
  .max(256)
  .transform((path) => path.replace(/^\.\//, ""))
  .refine(
    (path) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\.(?:js|cjs|mjs)$/.test(path),
    "must be a .js, .cjs or .mjs file of the package",
  );

const schema = z.object({
  name: z.string().regex(NAME, "must be porchlight-driver-NAME or @SCOPE/porchlight-driver-NAME"),
  version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]{0,48}$/, "must be a version such as 1.2.3"),
  description: z.string().max(1024).default(""),
  dependencies: none.optional(),
  optionalDependencies: none.optional(),
  peerDependencies: none.optional(),
  porchlight: z.strictObject({
    api: z.literal(PACKAGE_API, `must be ${PACKAGE_API}: the interface that this agent has`),
    entry,
    memoryMb: z.int().min(16).max(MOST_MEMORY_MB).default(DEFAULT_MEMORY_MB),
    wants: z
      .array(z.enum(["network", "serial"]))
      .max(2)
      .default([]),
    settings: z.record(z.string(), z.unknown()).optional(),
  }),
});

export interface DriverManifest {
  /** The full name, as on npm. */
  readonly name: string;
  /** Without prefix and scope: the name of its settings and of its folder. */
  readonly shortName: string;
  readonly version: string;
  readonly description: string;
  /** Path of its code in the package. */
  readonly entry: string;
  /** Limit of its JavaScript heap, MB. */
  readonly memoryMb: number;
  readonly wants: readonly ("network" | "serial")[];
  /** JSON Schema of its settings; undefined when it has none. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
}

/** A package cannot be used; the message explains why, for people. */
export class PackageUnusable extends Error {}

/** @param text of `package.json` @throws PackageUnusable */
export function readManifest(text: string): DriverManifest {
  const parsed = schema.safeParse(asJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PackageUnusable(`\`${issue?.path.join(".")}\` of its package.json: ${issue?.message}`);
  }
  const { name, version, description, porchlight } = parsed.data;
  const [, shortName = ""] = NAME.exec(name) ?? [];
  return { name, shortName, version, description, ...porchlight, settings: porchlight.settings };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PackageUnusable("its package.json is not JSON");
  }
}

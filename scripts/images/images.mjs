// The images: the content of each, and how it runs. Both stand on one layer, and their programs are the executables of scripts/agent.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../agent/executable.mjs";
import { notices } from "../agent/notices.mjs";
import { AGENT, CLOUD } from "../agent/programs.mjs";
import { root } from "../tools.mjs";
import { DATA, USER } from "./base-files.mjs";
import { cloudFiles, packagesOfPages } from "./cloud-files.mjs";

/** Docker asks after that long, and as often; in nanoseconds. */
const SECOND = 1e9;

const IMAGES = [
  {
    program: CLOUD,
    name: "porchlight/cloud",
    title: "Porchlight cloud",
    description: "The REST API and the portal of Porchlight, and the tunnels to the hubs.",
    command: ["serve"],
    isHealthy: ["health"],
    // Of all addresses: only what the container's owner publishes is reached.
    env: ["PORCHLIGHT_HOST=0.0.0.0"],
    ports: ["8080/tcp"],
    files: cloudFiles,
    packages: packagesOfPages,
  },
  {
    program: AGENT,
    name: "porchlight/agent",
    title: "Porchlight agent",
    description: "Connects the devices of a home to Porchlight: runs on a hub, next to them.",
    command: ["run"],
    isHealthy: ["status"],
    env: [],
    ports: [],
    files: () => [],
    packages: () => [],
  },
];

/**
 * Builds the programs into `folder`. Gives the images as `layout.mjs` takes them, without their layers and architecture: each with the
 * `entries` of its own layer, and the `binaries` whose libraries the layer below must have.
 * @param only the last part of one image's name, where not both are wanted
 */
export async function buildImages(architecture, folder, only) {
  const wanted = IMAGES.filter(({ name }) => only === undefined || name === `porchlight/${only}`);
  if (wanted.length === 0) throw new Error(`${only} is no image: ${IMAGES.map(({ name }) => name).join(" or ")}`);
  const images = [];
  for (const image of wanted) images.push(await buildImage(image, architecture, folder));
  return images;
}

async function buildImage({ program, name, files, ...about }, architecture, folder) {
  const { version } = JSON.parse(readFileSync(join(root, program.package, "package.json"), "utf8"));
  const built = await buildExecutable(architecture, join(folder, program.name), program);
  const home = `usr/lib/${program.name}`;
  const documents = `usr/share/doc/${program.name}`;
  const packages = [...new Set([...built.packages, ...about.packages()])].sort();
  const nodeLicence = readFileSync(join(root, "packaging", "agent", "nodejs-licence.txt"), "utf8");
  const licence = readFileSync(join(root, "LICENSE"));
  return {
    name,
    version,
    binaries: [built.path, ...built.addons],
    config: configOf(about, `/${home}/${program.name}`),
    labels: labelsOf(about, version),
    entries: [
      { path: `${home}/${program.name}`, content: readFileSync(built.path), mode: 0o755 },
      // By its name, for who runs a command in the container.
      { path: `usr/bin/${program.name}`, link: `../lib/${program.name}/${program.name}` },
      ...files().map(({ path, content }) => ({ path: `${home}/${path}`, content })),
      { path: `${documents}/LICENSE`, content: licence },
      { path: `${documents}/third-party-notices.txt`, content: notices(packages, nodeLicence) },
    ],
  };
}

function configOf({ command, isHealthy, env, ports }, program) {
  return {
    User: `${USER}:${USER}`,
    WorkingDir: `/${DATA}`,
    Entrypoint: [program],
    Cmd: command,
    // The home folder is also where native parts are loaded from when nothing may run from /tmp.
    Env: ["PATH=/usr/bin", `HOME=/${DATA}`, `PORCHLIGHT_DATA=/${DATA}`, ...env],
    Volumes: { [`/${DATA}`]: {} },
    ...(ports.length > 0 && { ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])) }),
    StopSignal: "SIGTERM",
    Healthcheck: {
      Test: ["CMD", program, ...isHealthy],
      Interval: 10 * SECOND,
      Timeout: 5 * SECOND,
      StartPeriod: 60 * SECOND,
      Retries: 3,
    },
  };
}

function labelsOf({ title, description }, version) {
  const of = (key) => `org.opencontainers.image.${key}`;
  return {
    [of("title")]: title,
    [of("description")]: description,
    [of("version")]: version,
    [of("vendor")]: "the Porchlight authors",
    [of("url")]: "https://porchlight.example",
    // Of our own code. What else is inside has its licences in /usr/share/doc.
    [of("licenses")]: "Apache-2.0",
  };
}

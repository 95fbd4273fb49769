// Where tests write their databases and files: in memory where there is room, because a machine's disk is what they would wait for most, and
// nothing of it must outlive its test. What a full or failing disk does is tested on disks of the tests' own.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file system in memory that every Linux machine has. */
const MEMORY = "/dev/shm";
const NAME = /^porchlight-tests-(\d+)$/;
/** What all tests have written at once at most, twice over, bytes: the packages' machines and installations from nothing take most. */
const ROOM = 6 * 1024 ** 3;
/** What the machine must have left besides, bytes. */
const SPARE = 4 * 1024 ** 3;

let folder;

/** The folder of this run, the same every time; undefined where tests must write to disk. It is removed when this process ends. */
function memoryFolder() {
  folder ??= hasRoom() && made();
  return folder || undefined;
}

/** The environment in which a test's temporary files are there. */
export function temporaryEnvironment() {
  const path = memoryFolder();
  return path ? { TMPDIR: path } : {};
}

function hasRoom() {
  if (process.platform !== "linux") return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    removeLeftOver();
    return bavail * bsize >= ROOM && process.availableMemory() >= ROOM + SPARE;
  } catch {
    return false;
  }
}

function made() {
  const path = join(MEMORY, `porchlight-tests-${process.pid}`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  process.once("exit", () => removeNow(path));
  // PostgreSQL runs as another user.
  chmodSync(path, 0o1777);
  if (canExecute(path)) return path;
  rmSync(path, { recursive: true });
  return false;
}

/** Containers often mount it so that nothing there can be executed. */
function canExecute(path) {
  const script = join(path, "try");
  writeFileSync(script, "#!/bin/sh\nexit 7\n", { mode: 0o755 });
  const { status } = spawnSync(script);
  rmSync(script);
  return status === 7;
}

/** A process that still runs may be writing there: the next run removes the rest. */
function removeNow(path) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    process.stderr.write(`${path} could not be removed: ${error.message}\n`);
  }
}

/** Of runs that were killed. */
function removeLeftOver() {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid && !lives(pid)) removeNow(join(MEMORY, name));
  }
}

function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

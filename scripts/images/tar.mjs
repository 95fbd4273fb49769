// A tar archive (POSIX ustar) of files in memory, the same bytes on each machine: a layer of an image, and an image as one file.
const BLOCK = 512;
const END = Buffer.alloc(2 * BLOCK);
const TYPES = { file: "0", link: "2", folder: "5" };

/**
 * @param entries each with `path` (no slash at either end), and `content` of a file, `link` of a symbolic link, or neither, which is a folder;
 * `mode`, `owner` (user and group, 0 when left out)
 * @param epoch time of each, in seconds
 */
export function tar(entries, epoch) {
  const sorted = entries.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const blocks = sorted.flatMap((entry) => {
    const content = entry.content === undefined ? Buffer.alloc(0) : Buffer.from(entry.content);
    return [header(entry, content.length, epoch), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return Buffer.concat([...blocks, END]);
}

function header({ path, content, link = "", mode, owner = 0 }, size, epoch) {
  const type = content !== undefined ? "file" : link === "" ? "folder" : "link";
  const { prefix, name } = nameInParts(type === "folder" ? `${path}/` : path);
  const block = Buffer.alloc(BLOCK);
  const number = (value, at, length) => block.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
  block.write(name, 0);
  number(mode ?? (type === "file" ? 0o644 : 0o755), 100, 8);
  number(owner, 108, 8);
  number(owner, 116, 8);
  number(size, 124, 12);
  number(epoch, 136, 12);
  block.write(TYPES[type], 156);
  block.write(link, 157);
  block.write("ustar\u000000", 257, "latin1");
  block.write(prefix, 345);
  // The sum is made with spaces where it will stand.
  block.fill(" ", 148, 156);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0`,
    148,
    "latin1",
  );
  return block;
}

/** A longer name is cut at a slash. */
function nameInParts(path) {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  const cut = path.indexOf("/", path.length - 101);
  const [prefix, name] = [path.slice(0, cut), path.slice(cut + 1)];
  if (cut <= 0 || name === "" || Buffer.byteLength(prefix) > 155 || Buffer.byteLength(name) > 100)
    throw new Error(`${path} is too long a name for a tar archive`);
  return { prefix, name };
}

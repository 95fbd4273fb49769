// An image as one file: an OCI image layout in a tar archive, with what older Docker (before 25) asks for beside it. No daemon has a part in it.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { tar } from "./tar.mjs";

const OF = "application/vnd.oci.image";

/** A layer of an image, from the entries of `tar.mjs`. Two images may have one in common. */
export function layerOf(entries, epoch) {
  const content = tar(withFolders(entries), epoch);
  return { diffId: digest(content), blob: gzipSync(content, { level: 6 }) };
}

/**
 * The archive of one image.
 * @param name of the image, such as `porchlight/cloud`, and its `version`
 * @param architecture as Go calls it: amd64, arm64
 * @param config what runs, and how (OCI image-spec, "config"); `healthcheck` is Docker's addition to it
 */
export function imageArchive({ name, version, architecture, config, labels, layers }, epoch) {
  const blobs = new Map();
  const put = (content, mediaType, more = {}) => {
    blobs.set(digest(content), content);
    return { mediaType, digest: digest(content), size: content.length, ...more };
  };
  const created = new Date(epoch * 1000).toISOString().replace(".000", "");
  const described = { ...labels, "org.opencontainers.image.created": created };
  const configured = {
    created,
    architecture,
    os: "linux",
    config: { ...config, Labels: described },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ about }) => ({ created, created_by: about })),
  };
  const configBlob = put(json(configured), `${OF}.config.v1+json`);
  const layerBlobs = layers.map(({ blob }) => put(blob, `${OF}.layer.v1.tar+gzip`));
  const manifest = {
    schemaVersion: 2,
    mediaType: `${OF}.manifest.v1+json`,
    config: configBlob,
    layers: layerBlobs,
    annotations: described,
  };
  const reference = `${name}:${version}`;
  const named = { "org.opencontainers.image.ref.name": version, "io.containerd.image.name": `docker.io/${reference}` };
  const platform = { architecture, os: "linux" };
  const index = {
    schemaVersion: 2,
    mediaType: `${OF}.index.v1+json`,
    manifests: [put(json(manifest), manifest.mediaType, { platform, annotations: named })],
  };
  const forDocker = [
    { Config: pathOf(configBlob), RepoTags: [reference], Layers: layerBlobs.map((layer) => pathOf(layer)) },
  ];
  const files = [
    { path: "oci-layout", content: json({ imageLayoutVersion: "1.0.0" }) },
    { path: "index.json", content: json(index) },
    { path: "manifest.json", content: json(forDocker) },
    ...[...blobs].map(([key, content]) => ({ path: pathOf({ digest: key }), content })),
  ];
  return { digest: index.manifests[0].digest, content: tar(withFolders(files), epoch) };
}

/** Each folder that stands only in the path of something else. */
function withFolders(entries) {
  const known = new Set(entries.map(({ path }) => path));
  const missing = new Set();
  for (const { path } of entries)
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) missing.add(path.slice(0, at));
  return [...entries, ...[...missing].filter((path) => !known.has(path)).map((path) => ({ path }))];
}

function digest(content) {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

function pathOf({ digest: key }) {
  return `blobs/${key.replace(":", "/")}`;
}

function json(value) {
  return Buffer.from(JSON.stringify(value));
}

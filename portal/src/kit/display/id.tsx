/** An ID, a token or code in a monospace font, with a copy button. */
import { ActionIcon, CopyButton } from "@mantine/core";
import { Hint } from "../text/hint.tsx";
import { Icon } from "./icon.tsx";
import classes from "./id.module.css";

export function Id({ value, label = "ID" }: { readonly value: string; readonly label?: string }) {
  return (
    <span className={classes.id}>
      <code className="mono">{value}</code>
      <Copy value={value} label={label} />
    </span>
  );
}

/** @param label names the copied value for screen readers */
export function Copy({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Hint label={copied ? "Copied" : `Copy ${label}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? "Copied" : `Copy ${label}`}
          >
            <Icon name={copied ? "check" : "copy"} />
          </ActionIcon>
        </Hint>
      )}
    </CopyButton>
  );
}

/** Lines to paste elsewhere. A long line wraps, so that it is never cut. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div className={classes.block}>
      <section aria-label={label}>
        <pre>
          <code>{code.split(OPTION).map(unbroken)}</code>
        </pre>
      </section>
      <Copy value={code} label={label} />
    </div>
  );
}

/** Matches options such as `--cloud`, which a browser would break after each hyphen. */
const OPTION = /((?<=\s)--?\w[\w-]{0,24}(?=[\s=]))/;

function unbroken(part: string, at: number) {
  return at % 2 === 0 ? (
    part
  ) : (
    <span key={at} className={classes.option}>
      {part}
    </span>
  );
}

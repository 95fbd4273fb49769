/** A secret that can be read again: masked until it is asked for, and copied without being shown. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { Copy } from "./id.tsx";
import classes from "./masked.module.css";

/** @param label what it is: "token" */
export function Masked({ value, label }: { readonly value: string; readonly label: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <span className={classes.masked} data-shown={isShown}>
      <code className="mono">{isShown ? value : masked(value)}</code>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        aria-label={`${isShown ? "Hide" : "Show"} ${label}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? "Hide" : "Show"}
      </Button>
      <Copy value={value} label={label} />
    </span>
  );
}

/** Enough of both ends to tell it from others: "plt_srv_…Xw4D". */
export function masked(value: string): string {
  const kind = /^plt_[a-z]+_/.exec(value)?.[0] ?? "";
  return `${kind}…${value.length - kind.length > 12 ? value.slice(-4) : ""}`;
}

/** A secret that can be read again: it is fetched only on the user's request. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Failure } from "./failure.tsx";
import { Copy } from "./id.tsx";
import classes from "./masked.module.css";

/** @param start prefix of such secrets: `plt_srv_` @param load fetches the secret @param label the kind of secret: "token" */
export function Masked({
  start,
  load,
  label,
}: {
  readonly start: string;
  readonly load: () => Promise<string>;
  readonly label: string;
}) {
  const { data: value, error, isPending, mutate, reset } = useMutation({ mutationFn: load, gcTime: 0 });
  const isShown = value !== undefined;
  return (
    <span className={classes.masked} data-shown={isShown}>
      <code className="mono">{value ?? `${start}…`}</code>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        aria-label={`${isShown ? "Hide" : "Show"} ${label}`}
        loading={isPending}
        onClick={() => (isShown ? reset() : mutate())}
      >
        {isShown ? "Hide" : "Show"}
      </Button>
      {value !== undefined && <Copy value={value} label={label} />}
      {error && <Failure error={error} />}
    </span>
  );
}

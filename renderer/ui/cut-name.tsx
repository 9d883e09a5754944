const keptEnd = 5

/** The name of an account, cut before its last signs where there is no room: accounts of a firm differ at the end. */
export const CutName = ({ name }: { name: string }) => (
  <span title={name} className="flex proportional-nums whitespace-pre">
    <span className="truncate">{name.slice(0, -keptEnd)}</span>
    <span className="shrink-0">{name.slice(-keptEnd)}</span>
  </span>
)

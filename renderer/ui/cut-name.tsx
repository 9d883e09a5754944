/** The name of an account, cut at its beginning where there is no room: accounts of a firm differ at the end. */
export const CutName = ({ name }: { name: string }) => (
  <span title={name} className="block truncate text-left proportional-nums [direction:rtl]">
    <bdi>{name}</bdi>
  </span>
)

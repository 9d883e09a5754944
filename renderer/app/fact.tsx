import type { ReactNode } from 'react'

/** One fact of a list of facts, with what explains it and can be done about it below. */
export const Fact = ({ name, value, text }: { name: string; value: string; text?: ReactNode }) => (
  <div>
    <dt className="text-sm text-faint">{name}</dt>
    <dd>
      {value}
      {text && <div className="text-sm text-muted">{text}</div>}
    </dd>
  </div>
)

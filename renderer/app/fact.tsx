import type { ReactNode } from 'react'

/** A fact in a list, with an explanation and its actions below. */
export const Fact = ({ name, value, text }: { name: string; value: string; text?: ReactNode }) => (
  <div>
    <dt className="text-sm text-faint">{name}</dt>
    <dd>
      {value}
      {text && <div className="text-sm text-muted">{text}</div>}
    </dd>
  </div>
)

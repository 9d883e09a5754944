import { classNames } from '#renderer/lib/class-names.ts'
import type { ReactNode } from 'react'

const tones = { gain: 'text-gain', loss: 'text-loss', even: '' } as const

/** A figure of a replay's moment, under its name. */
export const Figure = ({ name, large = false, tone = 'even', children }: { name: string; large?: boolean; tone?: keyof typeof tones; children: ReactNode }) => (
  <div>
    <div className="text-sm text-muted">{name}</div>
    <div className={classNames('tabular-nums', large ? 'text-title font-semibold' : 'font-medium', tones[tone])}>{children}</div>
  </div>
)

import { classNames } from '#renderer/lib/class-names.ts'
import type { Letter } from './use-compared.ts'

const looks = {
  a: { className: 'text-side-a', dash: '', width: 2 },
  b: { className: 'text-side-b', dash: '6 3', width: 2 },
  c: { className: 'text-side-c', dash: '2 2', width: 2 },
  d: { className: 'text-side-d', dash: '9 3', width: 2 },
  e: { className: 'text-side-e', dash: '2 5', width: 2 },
  f: { className: 'text-side-f', dash: '', width: 4 },
} as const satisfies Record<Letter, { className: string; dash: string; width: number }>

/** The letter of a side with a piece of its line, as the chart draws it. */
export const SideMark = ({ letter }: { letter: Letter }) => (
  <span className={classNames('inline-flex shrink-0 items-center gap-1.5 font-semibold', looks[letter].className)}>
    <svg aria-hidden viewBox="0 0 24 6" className="h-1.5 w-6 shrink-0">
      <line x1="0" x2="24" y1="3" y2="3" stroke="currentColor" strokeWidth={looks[letter].width} strokeDasharray={looks[letter].dash} />
    </svg>
    {letter.toUpperCase()}
  </span>
)

import type { ReactNode } from 'react'
import { Menu, MenuChoice } from './menu.tsx'

/** One of several, and what choosing it does. */
export type Choice = { readonly value: string; readonly label: string; readonly choose: () => void }

/** A menu of one choice, initially open; a separate file, so that it only loads when it is opened. */
export const ChoiceMenu = ({ trigger, label, value, choices }: { trigger: ReactNode; label: string; value: string; choices: readonly Choice[] }) => (
  <Menu trigger={trigger} align="end" open>
    <MenuChoice label={label} value={value} options={choices} onChange={(chosen) => { choices.find((choice) => choice.value === chosen)?.choose() }} />
  </Menu>
)

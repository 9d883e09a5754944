import { Switch } from '#renderer/ui/toggles.tsx'
import { useId } from 'react'

/** A switch with its name and a sentence about its effect. */
export const SwitchChoice = ({ label, text, checked, disabled = false, onChange }: { label: string; text: string; checked: boolean; disabled?: boolean; onChange: (checked: boolean) => void }) => {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <Switch aria-label={label} aria-describedby={id} checked={checked} disabled={disabled} onChange={onChange} />
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        <span id={id} className="block text-sm text-faint">{text}</span>
      </span>
    </div>
  )
}

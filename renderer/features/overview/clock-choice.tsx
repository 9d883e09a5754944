import { useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { isTimeZone } from '#shared/market/zone-clock.ts'
import { Check, ChevronDown, Clock } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatisticsClock } from './clock-store.ts'

/** Chooses the time zone of weekdays and hours, and whether entries or exits are timed. */
export const ClockChoice = ({ shown }: { shown: string | null }) => {
  const { t } = useTranslation('statistics')
  const { zone, timedBy, choose } = useStatisticsClock()
  const ofProfile = useSession().session?.timeZone ?? 'UTC'
  const ofComputer = Intl.DateTimeFormat().resolvedOptions().timeZone
  const choices = [
    { zone: ofProfile, saved: null, name: t('clock.profile') },
    { zone: 'America/Chicago', saved: 'America/Chicago', name: t('clock.exchange') },
    { zone: 'America/New_York', saved: 'America/New_York', name: t('clock.new-york') },
    { zone: ofComputer, saved: ofComputer, name: t('clock.computer') },
  ].filter((choice, at, all) => all.findIndex((one) => one.zone === choice.zone) === at)
  const chosen = zone ?? ofProfile
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label={t('clock.timed-by')}
        value={timedBy}
        onChange={(next) => { choose({ timedBy: next }) }}
        options={[{ value: 'entry', label: t('clock.entry') }, { value: 'exit', label: t('clock.exit') }]}
      />
      <Popover
        align="end"
        label={t('clock.zone')}
        trigger={
          <Button variant="outline" size="sm" aria-label={t('clock.zone-of', { zone: shown ?? chosen })}>
            <Clock aria-hidden className="text-faint" />
            {shown ?? chosen}
            <ChevronDown aria-hidden className="text-faint" />
          </Button>
        }
      >
        <div role="group" aria-label={t('clock.zone')} className="-mx-1 flex w-72 flex-col">
          {choices.map((choice) => (
            <button
              key={choice.zone}
              type="button"
              aria-pressed={chosen === choice.zone}
              onClick={() => { choose({ zone: choice.saved }) }}
              className="flex h-8 items-center gap-2 rounded-sm px-1 text-left hover:bg-raised"
            >
              <Check aria-hidden className={`size-3.5 text-accent ${chosen === choice.zone ? '' : 'invisible'}`} />
              {choice.name}
              <span className="ml-auto text-sm text-faint">{choice.zone}</span>
            </button>
          ))}
        </div>
        <OtherZone zone={choices.some((choice) => choice.zone === chosen) ? '' : chosen} onChoose={(other) => { choose({ zone: other }) }} />
      </Popover>
    </div>
  )
}

const OtherZone = ({ zone, onChoose }: { zone: string; onChoose: (zone: string) => void }) => {
  const { t } = useTranslation('statistics')
  const list = useId()
  const [typed, setTyped] = useState(zone)
  const unknown = typed.trim() !== '' && !isTimeZone(typed.trim())
  const type = (text: string): void => {
    setTyped(text)
    if (isTimeZone(text.trim()) && text.trim() !== '') onChoose(text.trim())
  }
  return (
    <div className="mt-3 border-t border-hairline pt-3">
      <Field label={t('clock.other')} hint={unknown ? t('clock.unknown') : undefined}>
        {(field) => <Input {...field} list={list} value={typed} onChange={(event) => { type(event.target.value) }} placeholder={t('clock.example')} />}
      </Field>
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((name) => <option key={name} value={name} />)}
      </datalist>
    </div>
  )
}

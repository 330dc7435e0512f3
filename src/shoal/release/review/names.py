"""Whether the name of a column says that its values tell whose row it is, in English, German, French and Spanish."""

from __future__ import annotations

import re
from typing import Literal

from shoal.data.column_names import meaning_of, meanings_of, plain_words

Says = Literal["person", "people", "record", "contact", "name", "other", "nothing"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


IDS = _words("id ids identifier ident identifiant identificador uuid guid kennung pid uid hid hhid cid sid nip idno")
NUMBERS = _words("no nr num number nummer numero nro key code ref reference matricule")
# Singular only: `num_patients` is a number of patients.
PEOPLE = _words("""
    patient person client customer member student pupil employee worker subject participant respondent user insured
    beneficiary donor resident citizen taxpayer applicant borrower tenant guest passenger voter
    kunde patientin mitglied schuler mitarbeiter proband teilnehmer versicherter
    assure eleve etudiant adherent salarie abonne paciente cliente alumno estudiante asegurado empleado socio
""")
OWNERS = PEOPLE | _words("""
    people staff household hh family account policy contract claim case card record file chart
    kunden patienten versicherten studenten personal konto police vertrag fall akte haushalt probanden matrikel
    menage dossier compte contrat hogar cuenta poliza expediente
""")
LOGINS = _words("username login handle nickname screenname benutzer benutzername usuario")
# Things, places and groups that many people share.
THINGS = _words("""
    hospital clinic ward department dept site center centre store shop branch product item sku article drug medication
    device machine room bed building country region state province zip area district station location city town type
    kind category class group course school exam test batch lot version status language currency company firm plan
    provider doctor physician gp nurse therapist operator teacher icd diagnosis procedure date time year month flag
    krankenhaus klinik abteilung filiale artikel arzt lehrer firma
    hopital service magasin produit medecin empresa tienda producto medico
""")
# A word such as UTILITYID, kundennr or Versichertennummer.
OWNED = re.compile(
    rf"(?:{'|'.join(sorted(OWNERS))}|versicher|personen|ausweis)\w*?(?:id|nr|no|num|nummer|number|numero|key)"
)
NOT_IDS = _words("valid invalid unpaid prepaid hybrid madrid rapid solid humid liquid fluid lipid covid plaid david")


def says_whose(name: str) -> Says:
    """Return what the name of a column says about its values.

    person   a number or login that belongs to a person, household, policy or the like
    people   people, by a number or otherwise
    record   a number of some kind
    contact  a mail address, telephone number or device
    name     a person's name
    other    something else, such as a place, a date or a diagnosis

    >>> [says_whose(name) for name in ("PatientID", "Kundennr", "customer no", "education-num", "hospital_id", "town")]
    ['person', 'person', 'person', 'other', 'other', 'other']
    """
    words = plain_words(name)
    found = {*words}
    meanings = {meaning.what for meaning in meanings_of(name)}
    if not words or words[-1] in THINGS:
        return "other" if words else "nothing"
    if (
        found & LOGINS
        or {"user", "name"} <= found
        or "a personal number" in meanings
        or any(OWNED.fullmatch(word) for word in words)
    ):
        return "person"
    has_id = bool(found & IDS) or any(_ends_with_id(word) for word in words)
    if found & OWNERS and (has_id or found & NUMBERS):
        return "person"
    if has_id:
        return "other" if found & THINGS else "record"
    if len(words) == 1 and found <= PEOPLE:
        return "people"
    if "a mail address, telephone number or device" in meanings:
        return "contact"
    if found & THINGS:
        return "other"
    meaning = meaning_of(name)
    if meaning is None or meaning.what == "a number that identifies a person or record":
        return "nothing"
    return "name" if meaning.what in ("the name of a person", "a name") else "other"


def _ends_with_id(word: str) -> bool:
    """Return whether a word such as utilityid ends with `id` for an identifier; thyroid does not."""
    return len(word) > 4 and word.endswith("id") and not word.endswith(("oid", "acid")) and word not in NOT_IDS

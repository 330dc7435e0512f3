"""Whether the name of a column says that its values tell whose row it is, in English, German, French and Spanish."""

from __future__ import annotations

import re
from typing import Literal

from shoal.data.column_names import meaning_of, meanings_of, plain_words

Says = Literal["person", "people", "record", "contact", "name", "other", "nothing"]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


IDS = word_set("id ids identifier ident identifiant identificador uuid guid kennung pid uid hid hhid cid sid nip idno")
NUMBERS = word_set("no nr nbr num number nummer numero nro key code ref reference matricule")
# Singular only: `num_patients` is a number of patients.
PEOPLE = word_set("""
    patient person client customer member student pupil employee worker subject participant respondent user insured
    beneficiary donor resident citizen taxpayer applicant borrower tenant guest passenger voter
    kunde patientin mitglied schuler mitarbeiter proband teilnehmer versicherter
    assure eleve etudiant adherent salarie abonne paciente cliente alumno estudiante asegurado empleado socio
""")
OWNERS = PEOPLE | word_set("""
    people staff household hh family account policy contract claim case card record file chart
    kunden patienten versicherten studenten personal konto police vertrag fall akte haushalt probanden matrikel
    menage dossier compte contrat hogar cuenta poliza expediente
""")
HOUSEHOLDS = word_set("household hh hhid hid family familie haushalt menage famille hogar familia")
LOGINS = word_set("username login handle nickname screenname benutzer benutzername usuario")
# Things, places and groups that many people share.
THINGS = word_set("""
    hospital clinic ward department dept site center centre store shop branch product item sku article drug medication
    device machine room bed building country region state province zip area district county station location city town
    type kind category class group course school exam test batch lot version status language currency company firm plan
    movie film book song track game event flight train route isbn ean upc gtin provider doctor physician gp nurse
    therapist operator teacher icd atc ndc cpt hcpcs drg loinc snomed rxnorm naics nace isco diagnosis procedure date
    time year month flag krankenhaus klinik abteilung filiale artikel arzt lehrer firma hopital service
    magasin produit medecin empresa tienda producto medico
""")
# A word such as UTILITYID, kundennr or Versichertennummer.
OWNED = re.compile(
    rf"(?:{'|'.join(sorted(OWNERS))}|versicher|personen|ausweis)\w*?(?:id|nr|no|num|nummer|number|numero|key)"
)
GROUPED = re.compile(r"\w+(?:code|type|class|status|category)(?:id)?")  # RatecodeID, paymenttypeid
NOT_IDS = word_set("valid invalid unpaid prepaid hybrid madrid rapid solid humid liquid fluid lipid covid plaid david")


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
    >>> [says_whose(name) for name in ("RatecodeID", "PatientCodeID", "utility id")]
    ['other', 'person', 'record']
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
    if any(word.removesuffix("id") in THINGS for word in words if word.endswith("id")):
        return "other"
    has_id = bool(found & IDS) or any(_ends_with_id(word) for word in words)
    if found & OWNERS and (has_id or found & NUMBERS):
        return "person"
    if has_id:
        return "other" if found & THINGS or any(GROUPED.fullmatch(word) for word in words) else "record"
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


def says_person(name: str) -> bool:
    """Return whether a name has a word for a person, such as PatientID or kundennr."""
    return any(word.startswith(tuple(PEOPLE)) for word in plain_words(name)) and not says_household(name)


def says_household(name: str) -> bool:
    """Return whether a name is that of a household, such as HouseholdID or hhid.

    >>> [says_household(name) for name in ("household_id", "Haushaltsnr", "family name", "hide")]
    [True, True, False, False]
    """
    words = plain_words(name)
    households = tuple(word for word in HOUSEHOLDS if len(word) > 4)
    found = any(word in HOUSEHOLDS or word.startswith(households) for word in words)
    return found and says_whose(name) != "name"


def is_of_a_thing(name: str) -> bool:
    """Return whether a name is that of a thing, such as `address type` or `phone service`."""
    words = plain_words(name)
    return bool(words) and words[-1] in THINGS


def _ends_with_id(word: str) -> bool:
    """Return whether a word such as utilityid ends with `id` for an identifier; thyroid does not."""
    return len(word) > 4 and word.endswith("id") and not word.endswith(("oid", "acid")) and word not in NOT_IDS

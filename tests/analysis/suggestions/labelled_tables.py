"""Tables with the role of each column, made up after the columns of well-known public tables and common ones.

A line has the role and then column=generator for each column; ~ in a name is a blank. No value comes from a real table.
"""

from __future__ import annotations

import random

import pyarrow as pa

from analysis.suggestions.generators import GENERATORS

TABLES = """
Adult census income
    quasi: age=age workclass=work education=edu education-num=code marital-status=marital occupation=job relationship=relation race=race sex=sex native-country=country
    sensitive: income=bracket
    other: capital-gain=skewed capital-loss=skewed hours-per-week=whole
German credit
    quasi: age=age personal_status_and_sex=text2 residence_since=code housing=text2 job=job number_of_dependents=small employment_duration=text2 foreign_worker=yesno
    sensitive: credit_amount=big savings_account=text2 default=flag
    other: checking_status=text2 duration_months=whole purpose=text2 installment_rate=percent
    identifying: telephone_number=phone
COMPAS
    identifying: id=seq name=fullname first=given last=family case_number=pcode
    quasi: sex=sex dob=bday age=age age_cat=agegroup race=race c_jail_in=datetime c_jail_out=datetime marital_status=marital
    sensitive: c_charge_desc=text2 offense_degree=mf
    other: decile_score=code priors_count=small juv_fel_count=small is_recid=flag
MIMIC patients
    identifying: subject_id=person
    quasi: gender=mf anchor_age=age dod=date
    other: anchor_year=year
MIMIC admissions
    identifying: subject_id=person hadm_id=longid
    quasi: admittime=datetime dischtime=datetime deathtime=datetime language=lang marital_status=marital race=race admission_location=text2
    sensitive: diagnosis=diagnosis
    other: hospital_expire_flag=flag admission_type=text2 insurance=text2
MIMIC chart events
    identifying: subject_id=person stay_id=personcode
    quasi: charttime=datetime
    other: valuenum=measure valueuom=text2 warning=flag
NHIS adult
    identifying: HHX=pcode
    quasi: REGION=code SEX_A=sex12 AGEP_A=age RACEALLP_A=code EDUC_A=code MARITAL_A=code
    sensitive: DEPMED_A=code CANEV_A=code
    other: WTFA_A=weight
ACS PUMS person
    identifying: SERIALNO=pcode
    quasi: AGEP=age SEX=sex12 RAC1P=code SCHL=whole MAR=code OCCP=room PUMA=room ST=whole POBP=room CIT=code HISP=code LANP=room MIL=code
    sensitive: PINCP=big WAGP=big DIS=flag
    other: PWGTP=whole
BRFSS
    identifying: SEQNO=longid
    quasi: _STATE=whole IDATE=date SEXVAR=sex12 MARITAL=code EDUCA=code EMPLOY1=code CHILDREN=small _AGEG5YR=code _RACE=code
    sensitive: INCOME2=code DIABETE4=code CVDSTRK3=code
    other: PHYSHLTH=whole SLEPTIM1=whole
Titanic
    identifying: PassengerId=seq Name=listname Ticket=plate
    quasi: Sex=sex Age=age
    other: Survived=flag Pclass=rating SibSp=small Parch=small Fare=amount Embarked=letter
Lending Club
    identifying: id=seq member_id=longid url=url
    quasi: emp_title=job emp_length=text2 home_ownership=text2 zip_code=zip3 addr_state=state issue_d=date
    sensitive: annual_inc=big loan_amnt=big loan_status=text2
    other: term=text2 int_rate=percent grade=letter dti=percent
NYC taxi 2015
    quasi: tpep_pickup_datetime=datetime tpep_dropoff_datetime=datetime pickup_longitude=lon pickup_latitude=lat dropoff_longitude=lon dropoff_latitude=lat
    other: VendorID=flag passenger_count=small trip_distance=percent RatecodeID=small fare_amount=amount tip_amount=amount
NYC taxi trips with medallion
    identifying: medallion=hash hack_license=hash
    quasi: pickup_datetime=datetime dropoff_datetime=datetime
    other: passenger_count=small rate_code=small
Bank marketing
    quasi: age=age job=job marital=marital education=edu
    sensitive: balance=big loan=yesno
    other: default=yesno duration=whole campaign=small pdays=whole y=yesno
Student performance
    quasi: school=school sex=mf age=age address_type=letter famsize=text2 Mjob=job Fjob=job Medu=code Fedu=code
    other: studytime=code failures=small absences=whole G1=whole G2=whole G3=whole
Synthea patients
    identifying: Id=uuid SSN=ssn DRIVERS=pcode PASSPORT=pcode FIRST=given LAST=family MAIDEN=family ADDRESS=address
    quasi: BIRTHDATE=bday DEATHDATE=date MARITAL=mf RACE=race ETHNICITY=race GENDER=mf BIRTHPLACE=city CITY=city STATE=state COUNTY=county ZIP=zip LAT=lat LON=lon
    sensitive: HEALTHCARE_EXPENSES=amount INCOME=big
Synthea encounters
    identifying: Id=uuid PATIENT=uuid
    quasi: START=datetime STOP=datetime ORGANIZATION=uuid PROVIDER=uuid
    sensitive: REASONDESCRIPTION=diagnosis DIAGNOSIS_CODE=icd
    other: ENCOUNTERCLASS=text2 BASE_ENCOUNTER_COST=amount
CMS inpatient claims
    identifying: DESYNPUF_ID=hash CLM_ID=longid
    quasi: CLM_FROM_DT=date CLM_THRU_DT=date PRVDR_NUM=room BENE_BIRTH_DT=bday BENE_DEATH_DT=date BENE_SEX_IDENT_CD=sex12 BENE_RACE_CD=code
    sensitive: ICD9_DGNS_CD_1=icd ADMTNG_ICD9_DGNS_CD=icd
    other: CLM_PMT_AMT=amount
HMDA
    quasi: state_code=state county_code=room census_tract=room applicant_age=agegroup applicant_sex=sex12 applicant_race=code applicant_ethnicity=code
    sensitive: loan_amount=big income=big
    other: loan_type=code action_taken=code interest_rate=percent
Voter file
    identifying: voter_reg_num=longid last_name=family first_name=given middle_name=given res_street_address=address full_phone_number=phone
    quasi: age_at_year_end=age birth_year=byear race_code=letter ethnic_code=letter gender_code=mf res_city_desc=city zip_code=zip county_desc=county precinct_desc=room registr_dt=date
    sensitive: party_cd=text2
Film ratings
    identifying: user_id=person
    quasi: date=date
    other: movie_id=room rating=rating
Phone log
    identifying: caller=phone callee=phone imei=longid
    quasi: start_time=datetime cell_tower=room
    other: duration_seconds=whole direction=text2
HR attrition
    identifying: EmployeeNumber=seq
    quasi: Age=age Gender=sex MaritalStatus=marital Education=code EducationField=edu JobRole=job Department=dept
    sensitive: MonthlyIncome=big
    other: BusinessTravel=text2 DistanceFromHome=whole JobSatisfaction=code OverTime=yesno
Telco churn
    identifying: customerID=pcode
    quasi: gender=sex SeniorCitizen=flag Partner=yesno Dependents=yesno
    other: tenure=whole PhoneService=yesno Contract=text2 MonthlyCharges=amount Churn=yesno
DHS women
    identifying: caseid=pcode
    quasi: age_of_respondent=age region=region type_of_place_of_residence=text2 highest_education_level=edu religion_group=religion ethnicity=race marital_status=marital date_of_birth=bday number_of_children=small
    other: wealth_index=code sample_weight=weight
EU-SILC
    identifying: RB030=longid personal_id=pcode
    quasi: sex=sex12 year_of_birth=byear country=country region=region marital_status=code citizenship=nation household_size=small highest_isced_level=code occupation_isco=room
    sensitive: gross_income=big chronic_illness=yesno
    other: cross_sectional_weight=weight
SHARE
    identifying: mergeid=pcode hhid=personcode
    quasi: gender=sex yrbirth=byear mobirth=month country=country isced1997=code mstat=marital language=lang
    sensitive: thinc=big depression=yesno
    other: grip=whole
SOEP
    identifying: persnr=longid hhnr=person
    quasi: geschlecht=sex12 gebjahr=byear familienstand=marital bundesland=region nationalitaet=nation schulabschluss=edu beruf=job kinderzahl=small
    sensitive: nettoeinkommen=big
    other: lebenszufriedenheit=code hochrechnungsfaktor=weight
Patientenliste
    identifying: Patientennummer=pcode Nachname=family Vorname=given Telefon=phone-de Straße=adresse Versichertennummer=longid E-Mail=email
    quasi: Geburtsdatum=bday-de Geschlecht=mf PLZ=plz Wohnort=city Aufnahmedatum=date Entlassungsdatum=date
    sensitive: Diagnose=diagnosis Medikament=drug
Mitarbeiter
    identifying: Personalnummer=longid Name=listname Steuer-ID=longid IBAN=iban
    quasi: Alter=age Abteilung=dept Staatsangehörigkeit=nation Eintrittsdatum=date Ausbildung=edu
    sensitive: Gehalt=big Religion=religion
Patients français
    identifying: identifiant=pcode nom=family prénom=given téléphone=phone numéro_sécurité_sociale=longid courriel=email
    quasi: date_de_naissance=bday sexe=mf code_postal=plz ville=city situation_familiale=marital profession=job nationalité=nation date_entrée=date
    sensitive: maladie=diagnosis salaire=big
Pacientes
    identifying: número_de_paciente=pcode nombre=given apellidos=family correo=email teléfono=phone DNI=pcode dirección=address
    quasi: fecha_de_nacimiento=bday sexo=mf edad=age código_postal=plz ciudad=city estado_civil=marital ocupación=job nacionalidad=nation
    sensitive: diagnóstico=diagnosis ingresos=big
Pazienti
    identifying: codice_paziente=pcode nome=given cognome=family codice_fiscale=pcode indirizzo=address telefono=phone
    quasi: data_di_nascita=bday sesso=mf età=age CAP=plz comune=city stato_civile=marital professione=job titolo_di_studio=edu data_ricovero=date
    sensitive: diagnosi=diagnosis reddito=big
Clinic visits
    identifying: mrn=mrn patient_name=listname insurance_number=pcode notes=notes
    quasi: date_of_birth=bday-us gender=sex visit_date=date zip=zip attending_physician=room ethnicity=race
    sensitive: diagnosis=diagnosis medication=drug hiv_status=yesno
    other: systolic=whole bmi=percent
Lab results
    identifying: patient_id=person sample_barcode=longid
    quasi: collected_at=datetime age=age sex=mf
    other: test_name=text2 result_value=measure unit=text2 abnormal=yesno
Web shop orders
    identifying: order_number=pcode customer_name=fullname email=email ip_address=ip shipping_address=address card_number=longid
    quasi: order_date=datetime city=city country=country zip=zip
    other: product=product quantity=small price=amount payment_method=text2
Web log
    identifying: client_ip=ip session=uuid user=visitor
    quasi: timestamp=datetime
    other: status=room bytes=big method=text2
University students
    identifying: matriculation_no=longid full_name=fullname student_email=email
    quasi: date_of_birth=bday gender=mf nationality=nation degree=edu enrolment_date=date
    other: gpa=percent credits=whole semester=code
Payroll of a city
    identifying: Employee~Name=listname
    quasi: Job~Title=job Department=dept Hire~Date=date
    sensitive: Annual~Salary=big Gross~Pay=big
Police stops
    identifying: officer_id=person subject_name=fullname license_plate=plate
    quasi: stop_date=date stop_time=time subject_age=age subject_race=race subject_sex=sex lat=lat lng=lon district=code
    other: search_conducted=flag outcome=text2
Airline bookings
    identifying: booking_ref=pcode passenger_name=listname passport_number=pcode frequent_flyer_no=longid
    quasi: date_of_birth=bday nationality=country flight_date=date origin=city gender=mf
    other: cabin_class=text2 fare=amount
Hotel guests
    identifying: guest=fullname reservation_number=pcode mobile=phone
    quasi: arrival_date=date departure_date=date country=country children=small
    other: room_type=letter adr=amount
Insurance policies
    identifying: policy_number=pcode policyholder=fullname vin=pcode
    quasi: birthdate=bday sex=mf postcode=plz occupation=job marital=marital
    sensitive: claim_diagnosis=diagnosis
    other: premium=amount vehicle_colour=colour
Dating profiles
    identifying: username=user about_me=notes profile_url=url
    quasi: age=age sex=mf location=city education=edu job=job ethnicity=race last_online=datetime
    sensitive: orientation=text2 religion=religion income=big
Tax records
    identifying: tax_id=longid taxpayer_name=listname
    quasi: filing_date=date county=county dependents=small occupation=job filing_status=marital
    sensitive: adjusted_gross_income=big
    other: refund=amount
Smart meters
    identifying: meter_id=personcode account=longid
    quasi: postcode=plz household_size=small reading_time=datetime
    other: kwh=float tariff=letter
Fitness tracker
    identifying: device_mac=hash user_id=person gps=latlon
    quasi: birth_date=bday gender=mf
    other: steps=big heart_rate=whole calories=big
Heart disease
    quasi: age=age sex=flag
    sensitive: num_disease=small
    other: cp=small trestbps=whole chol=room fbs=flag thalach=room exang=flag oldpeak=percent
Framingham
    identifying: randid=longid
    quasi: male=flag age=age education=code
    sensitive: diabetes=flag prevalentStroke=flag
    other: totChol=room sysBP=measure BMI=percent glucose=whole
Credit card clients
    identifying: ID=seq
    quasi: SEX=sex12 EDUCATION=code MARRIAGE=code AGE=age
    sensitive: LIMIT_BAL=big
    other: PAY_0=code BILL_AMT1=amount
Diabetes readmission
    identifying: encounter_id=longid patient_nbr=person
    quasi: race=race gender=sex age=agegroup payer_code=letter
    sensitive: diag_1=icd insulin=text2 readmitted=text2
    other: time_in_hospital=whole num_lab_procedures=whole max_glu_serum=text2
Boston crime reports
    identifying: INCIDENT_NUMBER=pcode
    quasi: OCCURRED_ON_DATE=datetime DISTRICT=letter STREET=address Lat=lat Long=lon
    sensitive: OFFENSE_DESCRIPTION=text2
    other: SHOOTING=flag DAY_OF_WEEK=weekday HOUR=whole
Stack survey
    identifying: ResponseId=seq
    quasi: Age=agegroup Country=country EdLevel=edu Employment=text2 DevType=job Gender=sex Ethnicity=race
    sensitive: ConvertedCompYearly=big MentalHealth=text2
    other: YearsCodePro=whole LanguageHaveWorkedWith=text2 SurveyLength=text2
Airbnb listings
    identifying: id=seq listing_url=url host_id=person host_name=given host_url=url host_about=notes
    quasi: host_since=date neighbourhood=city latitude=lat longitude=lon
    other: room_type=text2 price=amount minimum_nights=small number_of_reviews=whole
Clinical trial
    identifying: USUBJID=pcode SUBJID=person INITIALS=plate
    quasi: SITEID=room BRTHDTC=bday AGE=age SEX=mf RACE=race ETHNIC=race COUNTRY=country RFSTDTC=date DTHDTC=date
    sensitive: AETERM=diagnosis
    other: ARM=text2 VISITNUM=small AESEV=text2
Donors
    identifying: Donor~ID=pcode Donor~Name=fullname Contact~E-mail=email Home~Phone=phone Mailing~Address=address
    quasi: Birth~Date=bday-us Gender=sex Zip~Code=zip City=city Blood~Group=blood
    other: Donations=small Last~Donation=date
Vaccination register
    identifying: vaxid=pcode recip_first_name=given recip_last_name=family recip_address_street=address recip_phone=phone
    quasi: recip_dob=bday recip_sex=mf recip_race_1=race recip_ethnicity=race recip_address_zip=zip recip_address_county=county admin_date=date
    other: dose_num=small lot_number=room mvx=letter
School register
    identifying: pupil=fullname guardian_name=fullname guardian_phone=phone upn=pcode
    quasi: dob=bday sex=mf year_group=code ethnicity=race first_language=lang postcode=plz
    sensitive: special_needs=yesno
    other: free_meals=yesno attendance=percent maths=whole
Emergency calls
    identifying: call_id=longid caller_name=fullname caller_number=phone narrative=notes
    quasi: received_at=datetime incident_address=address patient_age=age patient_sex=mf
    sensitive: chief_complaint=diagnosis
    other: priority=code response_seconds=room
Prison records
    identifying: inmate_number=pcode inmate_name=listname fbi_number=longid
    quasi: date_of_birth=bday sex=sex race=race admission_date=date release_date=date county_of_conviction=county
    sensitive: offense=text2 sentence_years=whole
    other: facility=city custody_level=text2
Kundenkartei
    identifying: Kd-Nr=pcode Firma_Ansprechpartner=fullname Handynummer=phone-de Mailadresse=email Anschrift=adresse Kontonummer=longid
    quasi: Geb.-Datum=bday-de Anrede=text2 Ort=city Beruf=job Kunde_seit=date
    sensitive: Umsatz=amount
    other: Rabatt=percent
Mikrozensus
    identifying: lfdnr=seq
    quasi: EF44_Alter=age EF46_Geschlecht=sex12 EF49_Familienstand=code Land=code Gemeindegröße=code Staatsangehörigkeit=code Migrationshintergrund=flag höchster_Schulabschluss=code Stellung_im_Beruf=code
    sensitive: Nettoeinkommen_Person=code
    other: Hochrechnungsfaktor=weight
Salariés
    identifying: matricule=longid nom_prenom=fullname adresse_mail=email nir=longid
    quasi: date_naissance=bday sexe=mf commune_residence=city diplome=edu poste=job date_embauche=date nb_enfants=small
    sensitive: salaire_brut=big
    other: temps_partiel=yesno
Encuesta de hogares
    identifying: id_hogar=person id_persona=pcode
    quasi: edad=age sexo=sex12 estado_civil=code nivel_educativo=code provincia=code pais_nacimiento=country fecha_entrevista=date parentesco=relation etnia=race
    sensitive: ingreso_total=big discapacidad=yesno
    other: factor_expansion=weight
Studenti
    identifying: matricola=longid nominativo=listname email=email
    quasi: data_nascita=bday luogo_nascita=city cittadinanza=nation provincia_residenza=state corso_laurea=edu genere=mf
    other: media_voti=percent crediti=whole
Gym members
    identifying: member=fullname card=pcode emergency_contact=phone photo_url=url
    quasi: joined=date born=bday postcode=plz gender=mf
    sensitive: health_condition=diagnosis
    other: visits_per_month=small plan=letter
Opaque export
    identifying: col1=uuid col2=name col3=email col4=phone col5=ssn col6=ip col7=pcode col8=notes col9=latlon col10=longid
    quasi: col11=bday col12=date col13=datetime
    other: col14=text2 col15=flag col16=amount col17=percent
"""  # noqa: E501


def tables(lines=TABLES):
    """Return the columns of each table with role and generator."""
    found = {}
    for line in lines.strip().splitlines():
        if not line.startswith(" "):
            columns = found[line] = {}
            continue
        role, _, entries = line.strip().partition(": ")
        for entry in entries.split():
            name, _, generator = entry.rpartition("=")
            columns[name.replace("~", " ")] = role, generator
    return found


def table(columns, rows, seed=1):
    """Fill a table with so many rows."""
    return pa.table(
        {name: GENERATORS[generator](random.Random(f"{name} {seed}"), rows) for name, (_, generator) in columns.items()}
    )

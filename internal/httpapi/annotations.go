package httpapi

import (
	"fmt"
	"net/http"

	"footfall/internal/accounts"
)

// annotationRecord is an annotation as the interface shows it.
type annotationRecord struct {
	ID        int64  `json:"id"`
	Day       string `json:"day"`
	Text      string `json:"text"`
	CreatedAt stamp  `json:"created_at"`
}

func recordOfAnnotation(a accounts.Annotation) annotationRecord {
	return annotationRecord{ID: a.ID, Day: a.Day, Text: a.Text, CreatedAt: stamp(a.CreatedAt)}
}

func (s *Server) listAnnotations(w http.ResponseWriter, r *http.Request) error {
	q, err := readQuery(r)
	if err != nil {
		return err
	}
	website, err := s.visibleWebsite(r)
	if err != nil {
		return err
	}
	from, to := q.textOr("from"), q.textOr("to")
	if err := q.err(); err != nil {
		return err
	}
	list, err := s.accounts.Annotations(r.Context(), website, from, to)
	if err != nil {
		return err
	}
	records := make([]annotationRecord, len(list))
	for i, a := range list {
		records[i] = recordOfAnnotation(a)
	}
	return writeData(w, http.StatusOK, records)
}

func readAnnotation(w http.ResponseWriter, r *http.Request) (accounts.AnnotationInput, error) {
	f, err := readFields(w, r)
	if err != nil {
		return accounts.AnnotationInput{}, err
	}
	return accounts.AnnotationInput{Day: f.text("day"), Text: f.text("text")}, f.err()
}

func (s *Server) addAnnotation(w http.ResponseWriter, r *http.Request) error {
	website, err := websiteID(r)
	if err != nil {
		return err
	}
	in, err := readAnnotation(w, r)
	if err != nil {
		return err
	}
	a, err := s.accounts.AddAnnotation(r.Context(), caller(r), website, in)
	if err != nil {
		return err
	}
	w.Header().Set("Location", fmt.Sprintf("%s/api/v1/websites/%d/annotations/%d", s.origin(r), website, a.ID))
	return writeData(w, http.StatusCreated, recordOfAnnotation(a))
}

// annotationPath is the website and the annotation in the path.
func annotationPath(r *http.Request) (website, annotation int64, err error) {
	if website, err = websiteID(r); err != nil {
		return 0, 0, err
	}
	annotation, err = pathID(r, "annotation", "annotation")
	return website, annotation, err
}

func (s *Server) updateAnnotation(w http.ResponseWriter, r *http.Request) error {
	website, id, err := annotationPath(r)
	if err != nil {
		return err
	}
	in, err := readAnnotation(w, r)
	if err != nil {
		return err
	}
	a, err := s.accounts.UpdateAnnotation(r.Context(), caller(r), website, id, in)
	if err != nil {
		return err
	}
	return writeData(w, http.StatusOK, recordOfAnnotation(a))
}

func (s *Server) deleteAnnotation(w http.ResponseWriter, r *http.Request) error {
	website, id, err := annotationPath(r)
	if err != nil {
		return err
	}
	if err := s.accounts.DeleteAnnotation(r.Context(), caller(r), website, id); err != nil {
		return err
	}
	return writeDeleted(w, id)
}
